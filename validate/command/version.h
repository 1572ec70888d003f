/* version.h - the version of Assay; CHANGELOG.md says what is in it. */
#ifndef ASSAY_VERSION_H
#define ASSAY_VERSION_H

#define ASSAY_VERSION "0.1.0"

#endif

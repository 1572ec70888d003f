/* version.h - Assay's version; CHANGELOG.md lists its changes. */
#ifndef ASSAY_VERSION_H
#define ASSAY_VERSION_H

#define ASSAY_VERSION "0.1.0"

#endif

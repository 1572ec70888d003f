# stale.awk - reads make's dependency files; prints those that name a source that does not exist, without ".d".
function is_missing(file) {
    if (!(file in missing)) {
        missing[file] = (getline line < file) < 0
        close(file)
    }
    return missing[file]
}
{
    for (i = 1; i <= NF; i++)
        if ($i ~ /\.[cS]$/ && is_missing($i))
            stale[FILENAME]
}
END {
    for (file in stale)
        print substr(file, 1, length(file) - 2)
}

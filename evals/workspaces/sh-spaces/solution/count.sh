#!/bin/sh
# Prints how many .txt files a folder holds, and the sum of their lines.
files=0
lines=0
for file in "$1"/*.txt; do
	[ -e "$file" ] || continue
	files=$((files + 1))
	lines=$((lines + $(wc -l < "$file")))
done
echo "$files files, $lines lines"

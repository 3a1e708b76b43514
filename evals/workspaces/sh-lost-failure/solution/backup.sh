#!/bin/sh
# Copies a file and logs what happened; ends with 0 only where the copy was made.
if said=$(cp "$1" "$2" 2>&1); then
	echo "done" | tee -a backup.log
else
	echo "$said" | tee -a backup.log
	exit 1
fi

#!/bin/sh
rm -f backup.log copy.txt
sh backup.sh source.txt copy.txt > /dev/null || { echo "a good copy failed"; exit 1; }
cmp -s source.txt copy.txt || { echo "there is no copy"; exit 1; }
if sh backup.sh nowhere.txt copy.txt > /dev/null; then echo "a failed copy was called a success"; exit 1; fi
grep -q nowhere.txt backup.log || { echo "the failure is not in the log"; exit 1; }

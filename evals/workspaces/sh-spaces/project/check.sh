#!/bin/sh
set -e
test "$(sh count.sh data 2>&1)" = "2 files, 3 lines"
test "$(sh count.sh "empty folder" 2>&1)" = "0 files, 0 lines"

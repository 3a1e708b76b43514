module dedupe

go 1.21

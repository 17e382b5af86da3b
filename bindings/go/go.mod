module prfdata.example/prfdata

go 1.19

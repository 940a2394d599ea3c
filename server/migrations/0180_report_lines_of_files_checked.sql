-- Without a transaction: files are read on meanwhile. Looks whether each line and its file name the same report.
alter table payment_service_report_lines validate constraint payment_service_report_lines_of_file;

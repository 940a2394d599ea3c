-- Why no connection could be made. Null where there was one, and for attempts of earlier versions.
alter table webhook_attempts add column reason text;

-- An erasure is found by its account and buyer. Its id is new each time, and no statement looks for it.
alter table buyer_erasures drop constraint buyer_erasures_id_key;

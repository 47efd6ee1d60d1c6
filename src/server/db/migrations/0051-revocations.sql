-- 1 where the Item was removed, and what let the service in is to be revoked at the source.
alter table item_pulls add column revokes integer not null default 0;

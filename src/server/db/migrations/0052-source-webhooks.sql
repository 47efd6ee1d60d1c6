-- A hash of the token in the address to which the source of an Item sends webhooks; null for none.
alter table item_pulls add column notify_hash text;
create index item_pulls_notify on item_pulls (client_id, notify_hash) where notify_hash is not null;

-- The institution of an authorization that became no Item: its revocation has a made-up item_id. Null for Items.
alter table item_pulls add column institution_id text;

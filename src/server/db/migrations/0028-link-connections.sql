-- What a connector has asked and got in a session of the hosted pages: encrypted JSON with its secret.
-- Null in sessions that have ended.
alter table link_sessions add column connection text;

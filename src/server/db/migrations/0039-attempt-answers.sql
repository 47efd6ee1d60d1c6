-- What the receiver of a webhook answered, for the dashboard. Null in rows of earlier programs.

-- How long the attempt took.
alter table webhook_attempts add column duration_ms integer;
-- How many bytes of the response body were read. Null where there was no response.
alter table webhook_attempts add column answer_bytes integer;
-- Encrypted: the beginning of the response body. Null where it is empty or not stored.
alter table webhook_attempts add column answer text;
-- The JWT that was sent. It holds a time and a hash of the body only.
alter table webhook_attempts add column signature text;

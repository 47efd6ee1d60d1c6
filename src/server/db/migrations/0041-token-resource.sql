-- The server that a token is for (RFC 8707): only that one accepts it. Null for all operations.
alter table oauth_tokens add column resource text;

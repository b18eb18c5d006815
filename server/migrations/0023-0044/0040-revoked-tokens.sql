update events set type = 'api_token.revoked' where type = 'api_token.deleted';

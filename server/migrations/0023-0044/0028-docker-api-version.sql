alter table servers add column docker_api_version text;

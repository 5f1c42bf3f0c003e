-- Checks the server of a new connection to a namespace that may be of version 1. Changes nothing.
--
-- Returns {version, role, eviction policy, "0", "1" if the server shows which run it is}, as attach.lua
-- does.

return {field(info('server'), 'redis_version'), field(info('replication'), 'role'),
  field(info('memory'), 'maxmemory_policy'), '0',
  shows_identity() and '1' or '0'}

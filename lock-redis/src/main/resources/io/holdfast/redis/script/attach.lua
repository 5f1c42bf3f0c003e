-- Checks the server of a new connection. Changes nothing on a server that cannot be used. On a usable
-- server it finds out the incarnation and begins the restart guard if grants may be lost.
--
-- Returns {version, role, eviction policy, "1" if this script has ended all earlier sessions, "1" if the
-- server shows which run it is}.

local version = field(info('server'), 'redis_version')
local role = field(info('replication'), 'role')
local policy = field(info('memory'), 'maxmemory_policy')
local former = life
if role == 'master' and tonumber(string.match(version, '^%d+')) >= 5 then
  identify()
end
return {version, role, policy, former ~= life and '1' or '0', shows_identity() and '1' or '0'}

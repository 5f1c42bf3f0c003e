-- Looks at the server that a new connection leads to. Changes nothing on a server that cannot be
-- used; on another it finds out the incarnation, and so begins the restart guard if need be.
--
-- Returns {version, role, eviction policy, whether sessions of before are over}.

local version = field(info('server'), 'redis_version')
local role = field(info('replication'), 'role')
local policy = field(info('memory'), 'maxmemory_policy')
local former = life
if role == 'master' and tonumber(string.match(version, '^%d+')) >= 5 then
  identify()
end
return {version, role, policy, former ~= life and '1' or '0'}

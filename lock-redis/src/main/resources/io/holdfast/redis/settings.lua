-- Writes the settings of the namespace unless they are there, and never changes them.
--
-- Where there are none, they and everything else may have been lost with the server's last life:
-- unless it has lasted for longer than the longest lease, the restart guard begins.
--
-- ARGV[4…7]  protocol, partitions, maxttl, step; none to write nothing
-- Returns {protocol, partitions, maxttl, step, what is left of the restart guard}; nothing if there
-- are none.

identify()
if not incarnation and not ARGV[4] then
  return false
end
if not incarnation then
  local found = identity()
  local lease = ARGV[6] + ARGV[7]
  local uptime = field(info('server'), 'uptime_in_seconds') * 1000000
  guard = uptime <= lease and now + lease or 0
  redis.call('HSET', namespace, 'protocol', ARGV[4], 'partitions', ARGV[5], 'maxttl', ARGV[6],
    'step', ARGV[7], 'incarnation', found, 'life', found, 'guard', text(guard), 'floor', '0',
    'durable', is_durable() and '1' or '0')
end
local settings = redis.call('HMGET', namespace, 'protocol', 'partitions', 'maxttl', 'step')
maxttl, step = tonumber(settings[3]), tonumber(settings[4])
settings[5] = text(guard_left())
return settings

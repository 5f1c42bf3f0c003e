-- Writes the settings of the namespace if there are none. Existing settings never change.
--
-- If there are none, they and all else may have been lost with an earlier incarnation of the server.
-- So the restart guard begins, unless the server has been up for longer than the longest lease and was
-- not promoted either: a replica may have been up for months, and lack its master's last writes.
--
-- ARGV[4…7]  protocol, partitions, maxttl, step; left out to read only
-- Returns {protocol, partitions, maxttl, step, the rest of the restart guard}; nothing if there are
-- none.

identify()
if not incarnation and not ARGV[4] then
  return false
end
if not incarnation then
  local found = identity()
  local lease = ARGV[6] + ARGV[7]
  local uptime = field(info('server'), 'uptime_in_seconds') * 1000000
  local may_lack_grants = uptime <= lease or find(found, '/', 1, true)
  guard = may_lack_grants and now + lease or 0
  call('HSET', namespace, 'protocol', ARGV[4], 'partitions', ARGV[5], 'maxttl', ARGV[6],
    'step', ARGV[7], 'incarnation', found, 'life', now_text, 'guard', text(guard), 'floor', NO_TIME,
    'durable', is_durable() and '1' or '0')
end
local settings = call('HMGET', namespace, 'protocol', 'partitions', 'maxttl', 'step')
maxttl, step = tonumber(settings[3]), tonumber(settings[4])
settings[5] = text(guard_left())
return settings

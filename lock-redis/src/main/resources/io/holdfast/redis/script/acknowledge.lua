-- Removes one notice of a session and leaves its others.
--
-- ARGV[4]  request

identify()
write_though_full()
local key = session_key(session_of(ARGV[4]))
local notices = redis.call('HGET', key, 'notices')
local at = notices and string.find(notices, ARGV[4] .. ';', 1, true)
if at then
  redis.call('HSET', key, 'notices',
    string.sub(notices, 1, at - 1) .. string.sub(notices, at + string.len(ARGV[4]) + 1))
end
return 'done'

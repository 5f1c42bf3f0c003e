-- Removes one notice of a session and leaves its others.
--
-- ARGV[4]  request
-- Returns "done", or "absent" if the session is not in this partition.

identify()
write_though_full()
local key = session_key(session_of(ARGV[4]))
local notices = call('HGET', key, 'notices')
local begins, ends = find_notice(notices or '', ARGV[4])
if begins then
  call('HSET', key, 'notices', sub(notices, 1, begins - 1) .. sub(notices, ends + 1))
end
return notices and 'done' or 'absent'

-- Ends a session for its client. Its requests do not count any more.
--
-- ARGV[4]  session
-- Returns "over", or "absent" if it is not in this partition.

identify()
return call('DEL', session_key(ARGV[4])) == 1 and 'over' or 'absent'

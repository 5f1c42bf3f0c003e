-- Ends a session for its owner. Its requests do not count any more.
--
-- ARGV[4]  session

identify()
call('DEL', session_key(ARGV[4]))
return 'over'

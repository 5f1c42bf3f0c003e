-- Ends a session for its owner, finally. Its requests count for nothing from now on.
--
-- ARGV[4]  session

identify()
redis.call('DEL', session_key(ARGV[4]))
return 'over'

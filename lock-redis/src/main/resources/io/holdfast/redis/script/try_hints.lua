-- Publishes a message as hints are published: whether that is allowed, and whether it arrives.
--
-- ARGV[4]  channel
-- ARGV[5]  message
-- Returns "sent", or why it was not.

local answer = redis.pcall('PUBLISH', ARGV[4], ARGV[5])
return type(answer) == 'table' and answer.err or 'sent'

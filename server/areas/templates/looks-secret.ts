const secret =
  /(?:^|_)(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|TOKEN|SALT|CREDENTIALS?|KEY|APIKEY)(?:$|_|\d)/i
const harmless = /PUBLIC|(?:_FILE|_PATH|_ID|_NAME|_URL|_HOST|_PORT|_TTL|_EXPIRY|_EXPIRES|_LENGTH)$/i
/** Names of what somebody else gives out: one that we made up would not be let in. */
const foreign = /SMTP|MAIL|API|TOKEN|CLIENT|ACCESS|OAUTH|AWS|S3|WEBHOOK|LICEN[CS]E/i

/** Whether a variable holds a secret, by its name. */
export const looksSecret = (name: string) => secret.test(name) && !harmless.test(name)

/** Whether another program or company has made it, so that it cannot be made anew. */
export const isThirdPartySecret = (name: string) => foreign.test(name)

/** Whether a value holds a password in the middle of an address, rather than the name of a variable. */
export const containsPassword = (value: string) =>
  /:\/\/[^/\s:@]*:(?!\$(?:\{\w+\}|\w+)@)[^/\s@]+@/.test(value)

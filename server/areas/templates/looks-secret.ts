const secret =
  /(?:^|_)(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|TOKEN|SALT|CREDENTIALS?|KEY|APIKEY)(?:$|_|\d)/i
const harmless = /PUBLIC|(?:_FILE|_PATH|_ID|_NAME|_URL|_HOST|_PORT|_TTL|_EXPIRY|_EXPIRES|_LENGTH)$/i
/** Names of credentials that another service issues: a generated value would not work. */
const foreign = /SMTP|MAIL|API|TOKEN|CLIENT|ACCESS|OAUTH|AWS|S3|WEBHOOK|LICEN[CS]E/i

/** Whether a variable holds a secret, by its name. */
export const looksSecret = (name: string) => secret.test(name) && !harmless.test(name)

/** Whether another service issued the value, so that it cannot be generated. */
export const isThirdPartySecret = (name: string) => foreign.test(name)

/** Whether a value holds a password in the middle of an address, rather than the name of a variable. */
export const containsPassword = (value: string) =>
  /:\/\/[^/\s:@]*:(?!\$(?:\{\w+\}|\w+)@)[^/\s@]+@/.test(value)

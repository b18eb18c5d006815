const secret =
  /(?:^|_)(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|TOKEN|SALT|CREDENTIALS?|KEY|APIKEY)(?:$|_|\d)/i
const harmless = /PUBLIC|(?:_FILE|_PATH|_ID|_NAME|_URL|_HOST|_PORT|_TTL|_EXPIRY|_EXPIRES|_LENGTH)$/i
/** Names of credentials that another service issues: a generated value would not work. */
const foreign = /SMTP|MAIL|API|TOKEN|CLIENT|ACCESS|OAUTH|AWS|S3|WEBHOOK|LICEN[CS]E/i

export const looksSecret = (name: string) => secret.test(name) && !harmless.test(name)

export const isThirdPartySecret = (name: string) => foreign.test(name)

/** Ignores a password that is a variable reference. */
export const containsPassword = (value: string) =>
  /:\/\/[^/\s:@]*:(?!\$(?:\{\w+\}|\w+)@)[^/\s@]+@/.test(value)

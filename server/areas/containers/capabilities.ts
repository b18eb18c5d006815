/** Docker's defaults, which need no permission. */
const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

/** Docker accepts names with or without CAP_, in any case. */
export const isNonDefaultCapability = (capability: string) =>
  !defaultCapabilities.has(capability.toUpperCase().replace(/^CAP_/, ''))

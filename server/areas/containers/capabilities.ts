/** What Docker gives every container; a file that asks for one of them asks for nothing. */
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

/** Docker takes a name with or without CAP_, in any case. */
export const isNonDefaultCapability = (capability: string) =>
  !defaultCapabilities.has(capability.toUpperCase().replace(/^CAP_/, ''))

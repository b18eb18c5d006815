/** Whether a host name or address, as in a URL or a listening address, is this machine's own. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host)

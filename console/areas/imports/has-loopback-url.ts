export const hasLoopbackUrl = (command: string) =>
  /\bhttps?:\/\/(localhost|127(\.\d+){3}|\[::1\])(?=[:/])/i.test(command)

/** Whether the address in a command means every machine itself, so that no other machine finds us there. */
export const isLocal = (command: string) =>
  /\bhttps?:\/\/(localhost|127(\.\d+){3}|\[::1\])(?=[:/])/i.test(command)

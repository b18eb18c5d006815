import { posix } from 'node:path'

const sockets = new Set(['/var/run/docker.sock', '/run/docker.sock'])

export const isDockerSocket = (source: string) => sockets.has(posix.normalize(source))

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/** Security headers such as Content-Security-Policy and HSTS (`Strict-Transport-Security`). */
export function securityHeaders({ PUBLIC_URL, GITHUB_URL }: HeaderConfig): Record<string, string> {
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: directivesFor(GITHUB_URL) },
    strictTransportSecurity: PUBLIC_URL.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })(answer.req, answer, () => {})
  return Object.fromEntries(Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)]))
}

type HeaderConfig = Pick<Config, 'PUBLIC_URL' | 'GITHUB_URL'>

/**
 * The policy allows only our own scripts, because the session token is in the storage of the browser. GitHub serves
 * avatars and receives the manifest of the GitHub App.
 */
const directivesFor = (github: string) => ({
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', new URL(github).origin, 'https://avatars.githubusercontent.com'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'", new URL(github).origin],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
})

export const corsOptions = (origins: string) => ({
  origin: origins.split(',').map((origin) => origin.trim()),
  credentials: true,
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  exposedHeaders: ['Retry-After'],
})

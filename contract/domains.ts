import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { port } from './shared/numbers.ts'

export const certificateStatuses = ['waiting', 'issued', 'failed'] as const

export const verificationStatuses = ['waiting_for_dns', 'needs_txt', 'verified', 'released'] as const

const verification = z
  .object({
    status: z
      .enum(verificationStatuses)
      .describe(
        '`released`: the domain no longer belongs to this workspace. `needs_txt`: DNS does not point to a server of this workspace, so a TXT record must prove ownership.',
      ),
    problem: z
      .string()
      .nullable()
      .describe(
        'Why the last check failed and what to do; null if it passed. Can be set for verified domains as well.',
      ),
    verified_at: time.nullable(),
    txt_record: z
      .object({ name: z.string(), value: z.string() })
      .describe('TXT record that proves ownership, regardless of where DNS points.'),
  })
  .describe(
    'Whether the workspace has proven ownership of the domain. Certificates are requested only for verified domains. Another workspace can take over a domain that is unverified or whose checks have failed for 30 days.',
  )

export const domain = z.object({
  id: id('domain'),
  service: z
    .string()
    .describe('Service of the compose file that the domain routes to; empty for other sources.'),
  host: z.string(),
  path: z.string(),
  port: z.int().nullable().describe('Container port; null for the HTTP port of the application.'),
  https: z
    .boolean()
    .describe('Whether to request a certificate and redirect HTTP to HTTPS once the certificate is issued.'),
  generated: z.boolean(),
  url: z.string(),
  routing_error: z
    .string()
    .nullable()
    .describe('Why the domain is not routed: it was released, or its service is not deployed.'),
  verification,
  certificate: z
    .object({
      kind: z.enum(['acme', 'uploaded']),
      status: z.enum(certificateStatuses),
      error: z
        .string()
        .nullable()
        .describe('Why the certificate was not issued or renewed, as reported by the certificate authority.'),
      issuer: z.string().nullable(),
      expires_at: time.nullable(),
      next_try_at: time.nullable(),
    })
    .nullable(),
})

const hostName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?|xn--[a-z0-9-]{1,59})$/

export const domainFields = {
  service: text(100).trim().default('').describe('Service of the compose file to route to.'),
  host: text(253, 1)
    .trim()
    .toLowerCase()
    .regex(hostName, { error: 'Must be a domain, such as app.example.com.' }),
  path: text(200, 1)
    .regex(/^\/[A-Za-z0-9._~/-]*$/, {
      error: 'Must start with / and contain only letters, digits, ., _, ~, - and /.',
    })
    .refine((path) => !/\/\/|(^|\/)\.{1,2}(\/|$)/.test(path), {
      error: 'Must not contain //, . or .. as a folder.',
    })
    .transform((path) => (path.length > 1 ? path.replace(/\/$/, '') : path))
    .default('/'),
  port: port.nullable().default(null),
  https: z.boolean().default(true),
}

const params = z.object({ id: idInput('application') })
const ofDomain = params.extend({ domain_id: idInput('domain') })
const reply = z.object({ domain })
const pem = (what: string) =>
  text(100_000, 1).regex(/-----BEGIN [A-Z ]+-----/, { error: `Must be ${what} in PEM format.` })

export const listDomains = endpoint('GET /v1/applications/{id}/domains', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List domains and their certificates',
  params,
  reply: z.object({
    domains: z.array(domain),
    generated: z
      .object({
        host: z.string(),
        https: z.boolean(),
        service: z.string(),
        port: z.int().nullable(),
      })
      .nullable()
      .describe('Generated URL that can be added; null if it is in use or unavailable.'),
  }),
})

export const listWorkspaceDomains = endpoint('GET /v1/domains', {
  access: 'applications.read',
  resource: 'filtered',
  summary: 'List the domains of all applications, with the certificate that expires next first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList(
    'domains',
    domain
      .pick({
        id: true,
        service: true,
        host: true,
        path: true,
        https: true,
        generated: true,
        certificate: true,
      })
      .extend({
        application: reference('application'),
        verified: z.boolean().describe('Whether the workspace has proven ownership of the domain.'),
      }),
  ),
})

export const checkDns = endpoint('GET /v1/applications/{id}/domains/{domain_id}/dns', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Check whether DNS points a domain to the server',
  params: ofDomain,
  reply: z.object({
    problem: z.string().nullable().describe('The problem and how to fix it; null if DNS is correct.'),
  }),
  limit: 300,
})

export const createDomain = endpoint('POST /v1/applications/{id}/domains', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Add a domain and request a certificate',
  description: 'Applies immediately.',
  params,
  body: z.strictObject(domainFields),
  reply,
  status: 201,
})

export const updateDomain = endpoint('PUT /v1/applications/{id}/domains/{domain_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Update a domain',
  params: ofDomain,
  body: z.strictObject(domainFields),
  reply,
})

export const deleteDomain = endpoint('DELETE /v1/applications/{id}/domains/{domain_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Remove a domain',
  params: ofDomain,
  reply: success,
})

export const verifyDomain = endpoint('POST /v1/applications/{id}/domains/{domain_id}/verify', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Verify ownership of a domain',
  params: ofDomain,
  reply,
  limit: 20,
})

export const uploadCertificate = endpoint('PUT /v1/applications/{id}/domains/{domain_id}/certificate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Upload a certificate for a domain',
  description: 'Include the certificate chain.',
  params: ofDomain,
  body: z.strictObject({ certificate: pem('a certificate'), key: pem('a private key') }),
  reply,
})

export const removeCertificate = endpoint('DELETE /v1/applications/{id}/domains/{domain_id}/certificate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Remove an uploaded certificate and request a new one',
  params: ofDomain,
  reply,
})

export const orderCertificate = endpoint('POST /v1/applications/{id}/domains/{domain_id}/certificate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Request the certificate again',
  params: ofDomain,
  reply,
  status: 202,
  limit: 20,
})

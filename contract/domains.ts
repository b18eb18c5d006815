import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { success } from './shared/page.ts'

export const certificateStatuses = ['waiting', 'issued', 'failed'] as const

export const verificationStatuses = ['waiting_for_dns', 'needs_txt', 'verified', 'released'] as const

const verification = z
  .object({
    status: z.enum(verificationStatuses).meta({
      description:
        'released: the name does not belong to this workspace any more. needs_txt: the DNS leads to something else than a server of this workspace, so a TXT record has to prove the name.',
    }),
    problem: z.string().nullable().meta({
      description:
        'What the last check found, and what to do; also of a verified name whose checks fail by now.',
    }),
    verified_at: time.nullable(),
    txt_record: z
      .object({ name: z.string(), value: z.string() })
      .meta({ description: 'Proves that the name belongs to this workspace, wherever it leads.' }),
  })
  .meta({
    description:
      'Whether the workspace has proven that it controls the name. No certificate is ordered before that, and another workspace that proves it takes the name over, as it does when the checks of a verified name have failed for 30 days.',
  })

export const domain = z.object({
  id: id('domain'),
  service: z.string().meta({ description: 'To which service of its compose file it leads; else empty.' }),
  host: z.string(),
  path: z.string(),
  port: z.number().int().nullable().meta({ description: 'In the container; null for its port for HTTP.' }),
  https: z
    .boolean()
    .meta({ description: 'Whether it gets a certificate, and HTTP is led to HTTPS once there is one.' }),
  generated: z.boolean(),
  url: z.string(),
  lost: z.string().nullable().meta({
    description:
      'Why it does not lead here: its name was released, another on the same machine had it before, or its service is not deployed.',
  }),
  verification,
  certificate: z
    .object({
      kind: z.enum(['acme', 'uploaded']),
      status: z.enum(certificateStatuses),
      error: z
        .string()
        .nullable()
        .meta({ description: 'Why there is none yet, or why it was not renewed; in the words of the CA.' }),
      issuer: z.string().nullable(),
      expires_at: time.nullable(),
      next_try_at: time.nullable(),
    })
    .nullable(),
})

const hostName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?|xn--[a-z0-9-]{1,59})$/

export const domainFields = {
  service: text(100)
    .trim()
    .default('')
    .meta({ description: 'Of a compose file: to which of its services it leads.' }),
  host: text(253, 1)
    .trim()
    .toLowerCase()
    .regex(hostName, { error: 'Must be a domain, such as app.example.com.' }),
  path: text(200, 1)
    .regex(/^\/[A-Za-z0-9._~/-]*$/, {
      error: 'Must begin with / and have only letters, digits, ., _, ~, - and /.',
    })
    .refine((path) => !/\/\/|(^|\/)\.{1,2}(\/|$)/.test(path), {
      error: 'Must not contain //, . or .. as a folder.',
    })
    .transform((path) => (path.length > 1 ? path.replace(/\/$/, '') : path))
    .default('/'),
  port: z
    .int({ error: 'Must be a port, from 1 to 65535.' })
    .min(1, { error: 'Must be a port, from 1 to 65535.' })
    .max(65_535, { error: 'Must be a port, from 1 to 65535.' })
    .nullable()
    .default(null),
  https: z.boolean().default(true),
}

const params = z.object({ id: givenId('application') })
const ofDomain = params.extend({ domain_id: givenId('domain') })
const reply = z.object({ domain })
const pem = (what: string) =>
  text(100_000, 1).regex(/-----BEGIN [A-Z ]+-----/, { error: `Must be ${what} in PEM.` })

export const listDomains = endpoint('GET /v1/applications/{id}/domains', {
  access: 'applications.read',
  resource: 'application',
  summary: 'The addresses that lead to it, and their certificates',
  params,
  reply: z.object({
    domains: z.array(domain),
    generated: z
      .object({
        host: z.string(),
        https: z.boolean(),
        service: z.string(),
        port: z.number().int().nullable(),
      })
      .nullable()
      .meta({ description: 'The one that it could have without anything set at a DNS, and has not.' }),
  }),
})

export const checkDns = endpoint('GET /v1/applications/{id}/domains/{domain_id}/dns', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Whether the DNS leads a name to the server now',
  params: ofDomain,
  reply: z.object({
    problem: z.string().nullable().meta({ description: 'Why it does not, and what to do; as a sentence.' }),
  }),
  limit: 300,
})

export const createDomain = endpoint('POST /v1/applications/{id}/domains', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Add an address; takes effect at once, and a certificate is asked for',
  params,
  body: z.strictObject(domainFields),
  reply,
  status: 201,
})

export const updateDomain = endpoint('PUT /v1/applications/{id}/domains/{domain_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Change an address',
  params: ofDomain,
  body: z.strictObject(domainFields),
  reply,
})

export const deleteDomain = endpoint('DELETE /v1/applications/{id}/domains/{domain_id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Remove an address',
  params: ofDomain,
  reply: success,
})

export const verifyDomain = endpoint('POST /v1/applications/{id}/domains/{domain_id}/verify', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Check now whether this workspace controls the name',
  params: ofDomain,
  reply,
  limit: 20,
})

export const uploadCertificate = endpoint('PUT /v1/applications/{id}/domains/{domain_id}/certificate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Use a certificate of your own for this domain, with its chain',
  params: ofDomain,
  body: z.strictObject({ certificate: pem('a certificate'), key: pem('a private key') }),
  reply,
})

export const removeCertificate = endpoint('DELETE /v1/applications/{id}/domains/{domain_id}/certificate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Use your own certificate no longer; one is asked for instead',
  params: ofDomain,
  reply,
})

export const orderCertificate = endpoint('POST /v1/applications/{id}/domains/{domain_id}/certificate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Ask for the certificate again now',
  params: ofDomain,
  reply,
  status: 202,
  limit: 20,
})

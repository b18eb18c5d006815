import { z } from 'zod'
import { application } from './applications.ts'
import { composeProblem, composeText, plan, yamlText } from './compose.ts'
import { deployment } from './deployments.ts'
import { domainFields } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id, limitedRecord, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { mostTemplate } from './shared/template-size.ts'

export const templateCategories = [
  'analytics',
  'automation',
  'business',
  'cms',
  'communication',
  'databases',
  'development',
  'files',
  'knowledge',
  'media',
  'monitoring',
  'productivity',
  'security',
  'other',
] as const

export const inputTypes = ['text', 'number', 'boolean', 'choice', 'email', 'url', 'secret', 'domain'] as const

export const generators = ['password', 'hex', 'base64', 'uuid', 'user', 'domain'] as const

/** What somebody fills in; it becomes a variable of the application, which the compose file takes as ${NAME}. */
export const templateInput = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string().nullable(),
  type: z.enum(inputTypes),
  required: z.boolean(),
  default: z.string().nullable().meta({ description: 'May take other inputs, as ${NAME}.' }),
  generate: z
    .object({ kind: z.enum(generators), length: z.number().int() })
    .nullable()
    .meta({ description: 'How it is made where nothing is given.' }),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  pattern: z.string().nullable(),
  min: z.number().nullable().meta({ description: 'Of a number; of anything else, its characters.' }),
  max: z.number().nullable(),
  asked: z.boolean().meta({
    description:
      'Whether the form asks for it at once; else it has a value already and stands under Advanced.',
  }),
})

export const template = z.object({
  id: id('template'),
  name: z.string(),
  description: z.string(),
  category: z.enum(templateCategories),
  logo: z.string().nullable().meta({ description: 'The name of a picture of the console.' }),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  memory_bytes: z.number().nullable().meta({ description: 'The least that a server should have free.' }),
  services: z.array(z.string()),
  builtin: z.boolean().meta({ description: 'Of Slipway’s own catalogue; else of the workspace.' }),
  updated_at: time.nullable(),
})

export const templateDetails = template.extend({
  inputs: z.array(templateInput),
  http: z
    .object({ service: z.string(), port: z.number().int() })
    .nullable()
    .meta({ description: 'Which service its address leads to.' }),
  notes: z.string().nullable().meta({
    description:
      'What to do once it runs; may take inputs, as ${NAME}. Null for who may not change applications, as the files are.',
  }),
  powers: z
    .array(z.string())
    .meta({ description: 'What gives its containers host access, as sentences. Needs an admin.' }),
  files: z.object({ template: z.string(), compose: z.string() }).nullable().meta({
    description: 'Null for who may not change applications: what a workspace wrote may hold secrets.',
  }),
})

const params = z.object({ id: idInput('template') })
const ofApplication = z.object({ id: idInput('application') })
const reply = z.object({ template: templateDetails })
const files = z.strictObject({
  template: yamlText(mostTemplate).meta({ description: 'The template.yaml.' }),
  compose: composeText.meta({ description: 'The compose file.' }),
})
export const listTemplates = endpoint('GET /v1/templates', {
  access: 'templates.read',
  summary: 'Those of the workspace, then Slipway’s own catalogue',
  query: z.strictObject({
    ...pageQuery,
    q: text(100).optional(),
    category: z.enum(templateCategories, { error: 'Must be a category.' }).optional(),
  }),
  reply: listOf('templates', template),
})

export const createTemplate = endpoint('POST /v1/templates', {
  access: 'templates.manage',
  summary: 'Make a template of the workspace',
  body: files,
  reply,
  status: 201,
  idempotent: true,
})

export const checkTemplate = endpoint('POST /v1/templates/check', {
  access: 'templates.manage',
  open: true,
  summary: 'What is wrong in a template, by file and line; nothing is made',
  body: files,
  reply: z.object({
    problems: z.object({ template: z.array(composeProblem), compose: z.array(composeProblem) }),
    template: templateDetails.omit({ id: true, updated_at: true, files: true }).nullable(),
  }),
  limit: 600,
})

export const getTemplate = endpoint('GET /v1/templates/{id}', {
  access: 'templates.read',
  summary: 'A template with its inputs and files',
  params,
  reply,
})

export const updateTemplate = endpoint('PUT /v1/templates/{id}', {
  access: 'templates.manage',
  summary: 'Change a template of the workspace. What was made from it stays as it is',
  params,
  body: files,
  reply,
})

export const deleteTemplate = endpoint('DELETE /v1/templates/{id}', {
  access: 'templates.manage',
  summary: 'Delete a template of the workspace. What was made from it stays',
  params,
  reply: success,
})

const deploying = z.strictObject({
  server_id: idInput('server'),
  name: name().optional().meta({ description: 'Of the application; else that of the template.' }),
  inputs: limitedRecord(500, z.record(text(100, 1), z.union([text(65_536), z.number(), z.boolean()])))
    .default({})
    .meta({ description: 'By name. What is left out gets its default or is generated.' }),
  domain: z
    .strictObject({ host: domainFields.host, https: domainFields.https })
    .optional()
    .meta({ description: 'Where it is reached; else it gets an address that works without a DNS.' }),
  project_id: idInput('project').optional(),
})

export const reviewTemplate = endpoint('POST /v1/templates/{id}/review', {
  access: 'applications.manage',
  open: true,
  summary: 'What deploying it with these inputs would do; nothing is made',
  params,
  body: deploying,
  reply: z.object({
    review: z.object({
      steps: z.array(z.string()),
      warnings: z.array(z.string()),
      problems: z.record(z.string(), z.array(z.string())),
      address: z.string().nullable(),
      plan: plan.nullable(),
    }),
  }),
})

export const deployTemplate = endpoint('POST /v1/templates/{id}/deploy', {
  access: 'applications.manage',
  summary: 'Make an application from it and deploy that',
  params,
  body: deploying,
  reply: z.object({
    application,
    deployment,
    notes: z.string().nullable().meta({ description: 'With its inputs filled in.' }),
  }),
  status: 202,
  idempotent: true,
})

export const draftTemplate = endpoint('GET /v1/applications/{id}/template', {
  access: 'templates.manage',
  resource: 'application',
  summary:
    'A template as it could be made from an application: what is secret or of this installation became an input. Nothing is made',
  params: ofApplication,
  reply: z.object({ files }),
})

export const getNotes = endpoint('GET /v1/applications/{id}/notes', {
  access: 'applications.manage',
  resource: 'application',
  summary:
    'What the template that it was made from says to do once it runs; null where there is nothing, or somebody has done with it',
  params: ofApplication,
  reply: z.object({ notes: z.string().nullable() }),
})

export const deleteNotes = endpoint('DELETE /v1/applications/{id}/notes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Show the notes of its template no longer, to nobody',
  params: ofApplication,
  reply: success,
})

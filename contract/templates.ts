import { z } from 'zod'
import { application } from './applications.ts'
import { composeProblem, composeText, deploymentPlan, yamlText } from './compose.ts'
import { deployment } from './deployments.ts'
import { domainFields } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { limitedRecord, name, text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { maxTemplateLength } from './shared/compose-limits.ts'

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

export const templateInput = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string().nullable(),
  type: z.enum(inputTypes),
  required: z.boolean(),
  default: z.string().nullable().describe('Default value. Can contain other inputs as ${NAME}.'),
  generate: z
    .object({ kind: z.enum(generators), length: z.int() })
    .nullable()
    .describe('How the value is generated if none is given; null if it is not generated.'),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  pattern: z.string().nullable(),
  min: z.number().nullable().describe('Minimum of a number or minimum length of a text; null for none.'),
  max: z.number().nullable(),
  advanced: z.boolean().describe('Whether the form shows the input under Advanced.'),
})

export const template = z.object({
  id: id('template'),
  name: z.string(),
  description: z.string(),
  category: z.enum(templateCategories),
  logo: z.string().nullable().describe('Name of the icon in the console.'),
  links: z.array(z.object({ label: z.string(), url: z.string() })),
  memory_bytes: z.number().nullable().describe('Recommended free memory in bytes; null if not specified.'),
  services: z.array(z.string()),
  builtin: z
    .boolean()
    .describe('Whether the template is part of the built-in catalog. False for templates of the workspace.'),
  updated_at: time.nullable(),
})

export const templateDetails = template.extend({
  inputs: z.array(templateInput),
  http: z
    .object({ service: z.string(), port: z.int() })
    .nullable()
    .describe('Service and port that the domain routes to.'),
  notes: z
    .string()
    .nullable()
    .describe(
      'Next steps after the deployment, with inputs as ${NAME}. Null if your role cannot manage applications.',
    ),
  host_access: z
    .array(z.string())
    .describe(
      'Options that give containers host access, as sentences. If there are any, only admins can deploy the template.',
    ),
  files: z
    .object({ template: z.string(), compose: z.string() })
    .nullable()
    .describe(
      'Files of the template, which may contain secrets. Null if your role cannot manage applications.',
    ),
})

const params = z.object({ id: idInput('template') })
const applicationParams = z.object({ id: idInput('application') })
const reply = z.object({ template: templateDetails })
const files = z.strictObject({
  template: yamlText(maxTemplateLength).describe('Content of template.yaml.'),
  compose: composeText.describe('Content of the compose file.'),
})
export const listTemplates = endpoint('GET /v1/templates', {
  access: 'templates.read',
  summary: 'List templates',
  description: 'Templates of the workspace come first, then the built-in catalog.',
  query: z.strictObject({
    ...pageQuery,
    q: text(100).optional(),
    category: z.enum(templateCategories, { error: 'Must be a category.' }).optional(),
  }),
  reply: pagedList('templates', template),
})

export const createTemplate = endpoint('POST /v1/templates', {
  access: 'templates.manage',
  summary: 'Create a template',
  body: files,
  reply,
  status: 201,
  idempotent: true,
})

export const checkTemplate = endpoint('POST /v1/templates/check', {
  access: 'templates.manage',
  open: true,
  summary: 'Check a template without creating it',
  body: files,
  reply: z.object({
    problems: z.object({ template: z.array(composeProblem), compose: z.array(composeProblem) }),
    template: templateDetails.omit({ id: true, updated_at: true, files: true }).nullable(),
  }),
  limit: 600,
})

export const getTemplate = endpoint('GET /v1/templates/{id}', {
  access: 'templates.read',
  summary: 'Get a template with its inputs and files',
  params,
  reply,
})

export const updateTemplate = endpoint('PUT /v1/templates/{id}', {
  access: 'templates.manage',
  summary: 'Update a template',
  description: 'Applications created from the template do not change.',
  params,
  body: files,
  reply,
})

export const deleteTemplate = endpoint('DELETE /v1/templates/{id}', {
  access: 'templates.manage',
  summary: 'Delete a template',
  description: 'Applications created from the template are kept.',
  params,
  reply: success,
})

const deployBody = z.strictObject({
  server_id: idInput('server'),
  name: name().optional().describe('Name of the application. Defaults to the name of the template.'),
  inputs: limitedRecord(500, z.record(text(100, 1), z.union([text(65_536), z.number(), z.boolean()])))
    .default({})
    .describe('Values by input name. Omitted inputs get their default or a generated value.'),
  domain: z
    .strictObject({ host: domainFields.host, https: domainFields.https })
    .optional()
    .describe('Domain of the application. Defaults to a generated URL.'),
  project_id: idInput('project').optional(),
})

export const reviewTemplate = endpoint('POST /v1/templates/{id}/review', {
  access: 'applications.manage',
  open: true,
  summary: 'Review what deploying a template would do',
  params,
  body: deployBody,
  reply: z.object({
    review: z.object({
      steps: z.array(z.string()),
      warnings: z.array(z.string()),
      problems: z.record(z.string(), z.array(z.string())),
      address: z.string().nullable(),
      plan: deploymentPlan.nullable(),
    }),
  }),
})

export const deployTemplate = endpoint('POST /v1/templates/{id}/deploy', {
  access: 'applications.manage',
  summary: 'Create an application from a template and deploy it',
  params,
  body: deployBody,
  reply: z.object({
    application,
    deployment,
    notes: z
      .string()
      .nullable()
      .describe('Next steps with the values of the inputs; null if there are none.'),
  }),
  status: 202,
  idempotent: true,
})

export const draftTemplate = endpoint('GET /v1/applications/{id}/template', {
  access: 'templates.manage',
  resource: 'application',
  summary: 'Draft a template from an application',
  description: 'Secrets and values specific to this installation become inputs. Nothing is created.',
  params: applicationParams,
  reply: z.object({ files }),
})

export const getNotes = endpoint('GET /v1/applications/{id}/notes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Get the next steps from the template of an application',
  description: 'Null if there are none or they were dismissed.',
  params: applicationParams,
  reply: z.object({ notes: z.string().nullable() }),
})

export const deleteNotes = endpoint('DELETE /v1/applications/{id}/notes', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Dismiss the next steps of an application for all members',
  params: applicationParams,
  reply: success,
})

import * as contract from '../../../contract/templates.ts'
import { successReply, route } from '../../route.ts'
import { checkTemplateInWorker } from './in-worker.ts'
import { deployTemplate } from './deploy-template.ts'
import { draftTemplate } from './draft-template.ts'
import { createTemplate, deleteTemplate, updateTemplate } from './save-template.ts'
import { listTemplates } from './list-templates.ts'
import { deleteNotes, getNotes } from './notes.ts'
import { reviewTemplate } from './review-template.ts'
import { getTemplate } from './template.ts'

export const routes = [
  route(contract.listTemplates, (ctx, { caller, query }) => listTemplates(ctx, caller, query)),
  route(contract.createTemplate, async (ctx, { caller, body }) => ({
    template: await createTemplate(ctx, caller, body),
  })),
  route(contract.checkTemplate, async (_ctx, { caller, body }) => {
    const { problems, template } = await checkTemplateInWorker(caller.workspace.id, body)
    return { problems, template: template && { ...template, builtin: false } }
  }),
  route(contract.getTemplate, async (ctx, { caller, params }) => ({
    template: await getTemplate(ctx, caller, params.id),
  })),
  route(contract.updateTemplate, async (ctx, { caller, params, body }) => ({
    template: await updateTemplate(ctx, caller, params.id, body),
  })),
  route(contract.deleteTemplate, async (ctx, { caller, params }) => {
    await deleteTemplate(ctx, caller, params.id)
    return successReply
  }),
  route(contract.reviewTemplate, async (ctx, { caller, params, body }) => ({
    review: await reviewTemplate(ctx, caller, params.id, body),
  })),
  route(contract.deployTemplate, (ctx, { caller, params, body }) =>
    deployTemplate(ctx, caller, params.id, body),
  ),
  route(contract.draftTemplate, async (ctx, { caller, params }) => ({
    files: await draftTemplate(ctx, caller, params.id),
  })),
  route(contract.getNotes, async (ctx, { caller, params }) => ({
    notes: await getNotes(ctx, caller, params.id),
  })),
  route(contract.deleteNotes, async (ctx, { caller, params }) => {
    await deleteNotes(ctx, caller, params.id)
    return successReply
  }),
]

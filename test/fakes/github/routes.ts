import * as app from './app-calls.ts'
import type { Handler } from './answer.ts'
import * as hook from './hook-calls.ts'
import { sendMedia } from './lfs.ts'
import { authorize, exchange } from './oauth.ts'
import { installPage, newAppPage } from './pages.ts'
import * as repository from './repository-calls.ts'
import { createStatus, listStatuses } from './status-calls.ts'
import * as user from './user-calls.ts'

/** What a browser opens, and files that are kept elsewhere; everything else is the API. */
export const pages: [method: string, pattern: string, Handler][] = [
  ['GET', '/login/oauth/authorize', authorize],
  ['POST', '/login/oauth/access_token', exchange],
  ['GET', '/apps/:slug/installations/new', installPage],
  ['POST', '/settings/apps/new', newAppPage],
  ['POST', '/organizations/:organization/settings/apps/new', newAppPage],
  ['GET', '/media/:key', sendMedia],
]

const ofRepository: [method: string, pattern: string, Handler][] = [
  ['GET', '', repository.getRepository],
  ['GET', '/branches', repository.listBranches],
  ['GET', '/branches/*branch', repository.getBranch],
  ['GET', '/git/ref/*ref', repository.getRef],
  ['GET', '/git/trees/*ref', repository.getTree],
  ['GET', '/commits/:ref/statuses', listStatuses],
  ['GET', '/commits/*ref', repository.getCommit],
  ['GET', '/contents/*path', repository.getContents],
  ['GET', '/compare/*range', repository.compare],
  ['GET', '/pulls', repository.listPulls],
  ['GET', '/pulls/:number', repository.getPull],
  ['POST', '/statuses/:sha', createStatus],
]

export const api: [method: string, pattern: string, Handler][] = [
  ['GET', '/app', app.getApp],
  ['GET', '/app/hook/deliveries', hook.listDeliveries],
  ['POST', '/app/hook/deliveries/:id/attempts', hook.redeliver],
  ['GET', '/app/installations', app.listInstallations],
  ['GET', '/app/installations/:id', app.getInstallation],
  ['DELETE', '/app/installations/:id', app.deleteInstallation],
  ['POST', '/app/installations/:id/access_tokens', app.createToken],
  ['POST', '/app-manifests/:code/conversions', app.convertManifest],
  ['GET', '/installation/repositories', app.listInstallationRepositories],
  ['GET', '/user', user.getUser],
  ['GET', '/user/emails', user.listEmails],
  ['GET', '/user/installations', user.listUserInstallations],
  ['GET', '/orgs/:org/memberships/:login', user.getMembership],
  ...['/repos/:owner/:repo', '/repositories/:id'].flatMap((place) =>
    ofRepository.map(([method, rest, handler]): [string, string, Handler] => [method, place + rest, handler]),
  ),
]

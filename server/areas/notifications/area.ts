import type { Area } from '../../area.ts'
import { routes } from './routes.ts'
import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { sendMessages } from './send-messages.ts'
import { cleanUpMessages } from './clean-up-messages.ts'
import type { Listeners } from '../../events.ts'
import { alertReminded, alertResolved, alertStarted } from './contents/alert.ts'
import { paymentFailed, planChanged, planPaused, planRecovered, trialEnding } from './contents/billing.ts'
import {
  applicationCrashed,
  deploymentFailed,
  deploymentStarted,
  deploymentSucceeded,
} from './contents/deployment.ts'
import {
  serverAdded,
  serverChangedAtCloud,
  serverCreationFailed,
  serverDeleted,
  serverSetUp,
  serverSetUpFailed,
} from './contents/server.ts'
import { channelPaused, cloudTokenRefused, memberChanged, tokenExpiring } from './contents/workspace.ts'
import { notify, previouslyNotified, selectAlertChannels, selectOtherChannels } from './write-messages.ts'

const channel = z.object({ workspace_id: id('workspace'), notification_id: id('notification') })
const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof channel>('send-messages', channel, (ctx, payload, run) =>
    sendMessages(ctx, payload.workspace_id, payload.notification_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-messages', nothing, (ctx, _given, { signal }) =>
    cleanUpMessages(ctx, signal),
  ),
]

const schedules = [
  {
    name: 'tidy-messages',
    everySeconds: 60,
    atStart: true,
    job: { kind: 'tidy-messages', payload: {}, lane: 'poll' as const },
  },
]

const listeners: Listeners[] = [
  {
    'alert.started': notify('alert', alertStarted, selectAlertChannels),
    'alert.reminded': notify('alert', alertReminded, selectAlertChannels),
    'alert.resolved': notify('alert', alertResolved, previouslyNotified),
    'deployment.started': notify('deployment_started', deploymentStarted),
    'deployment.completed': notify('deployment_succeeded', deploymentSucceeded),
    'deployment.failed': notify('deployment_failed', deploymentFailed),
    'application.crashed': notify('application_crashed', applicationCrashed),
    'server.created': notify('server_added', serverAdded),
    'server.imported': notify('server_added', serverAdded),
    'server.setup_completed': notify('server_set_up', serverSetUp),
    'server.setup_failed': notify('server_set_up_failed', serverSetUpFailed),
    'server.creation_failed': notify('server_creation_failed', serverCreationFailed),
    'server.cloud_changed': notify('server_cloud_changed', serverChangedAtCloud),
    'server.deleted': notify('server_deleted', serverDeleted),
    'member.invited': notify('member_invited', memberChanged),
    'member.joined': notify('member_joined', memberChanged),
    'member.role_changed': notify('member_role_changed', memberChanged),
    'member.removed': notify('member_removed', memberChanged),
    'member.left': notify('member_removed', memberChanged),
    'api_token.expiring': notify('token_expiring', tokenExpiring),
    'cloud_token.refused': notify('cloud_token_refused', cloudTokenRefused),
    'billing.trial_ending': notify('trial_ending', trialEnding),
    'billing.trial_ended': notify('trial_ending', trialEnding),
    'billing.subscribed': notify('plan_changed', planChanged),
    'billing.plan_changed': notify('plan_changed', planChanged),
    'billing.cancelled': notify('plan_changed', planChanged),
    'billing.resumed': notify('plan_changed', planChanged),
    'billing.renewed': notify('plan_changed', planChanged),
    'billing.ended': notify('plan_changed', planPaused),
    'billing.duplicate_ended': notify('plan_payment', planChanged),
    'billing.payment_failed': notify('plan_payment', paymentFailed),
    'billing.grace_ended': notify('plan_payment', planPaused),
    'billing.recovered': notify('plan_payment', planRecovered),
    'notification.paused': notify('channel_paused', channelPaused, selectOtherChannels),
  },
]

export const notificationsArea: Area = { name: 'notifications', routes, jobs, schedules, listeners }

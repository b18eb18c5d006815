import type { Listeners } from '../../outbox.ts'
import { alertOver, alertReminded, alertStarted } from './contents/alert.ts'
import {
  applicationDied,
  deploymentFailed,
  deploymentStarted,
  deploymentSucceeded,
} from './contents/deployment.ts'
import { paymentFailed, planChanged, planPaused, planRecovered, trialEnding } from './contents/billing.ts'
import { memberChanged } from './contents/member.ts'
import { channelPaused } from './contents/paused.ts'
import {
  serverAdded,
  serverChangedAtCloud,
  serverDeleted,
  serverNotMade,
  serverSetUp,
  serverSetUpFailed,
} from './contents/server.ts'
import { cloudTokenRefused, tokenExpiring } from './contents/token.ts'
import { ofAlert, others, toldBefore } from './takers.ts'
import { tells } from './write-messages.ts'

export const listeners: Listeners[] = [
  {
    'alert.started': tells({ notice: 'alert', say: alertStarted, among: ofAlert }),
    'alert.reminded': tells({ notice: 'alert', say: alertReminded, among: ofAlert }),
    'alert.over': tells({ notice: 'alert', say: alertOver, among: toldBefore }),
    'deployment.started': tells({ notice: 'deployment_started', say: deploymentStarted }),
    'deployment.completed': tells({ notice: 'deployment_succeeded', say: deploymentSucceeded }),
    'deployment.failed': tells({ notice: 'deployment_failed', say: deploymentFailed }),
    'application.died': tells({ notice: 'application_died', say: applicationDied }),
    'server.created': tells({ notice: 'server_added', say: serverAdded }),
    'server.imported': tells({ notice: 'server_added', say: serverAdded }),
    'server.setup_completed': tells({ notice: 'server_set_up', say: serverSetUp }),
    'server.setup_failed': tells({ notice: 'server_set_up_failed', say: serverSetUpFailed }),
    'server.creation_failed': tells({ notice: 'server_creation_failed', say: serverNotMade }),
    'server.cloud_changed': tells({ notice: 'server_cloud_changed', say: serverChangedAtCloud }),
    'server.deleted': tells({ notice: 'server_deleted', say: serverDeleted }),
    'member.invited': tells({ notice: 'member_invited', say: memberChanged }),
    'member.joined': tells({ notice: 'member_joined', say: memberChanged }),
    'member.role_changed': tells({ notice: 'member_role_changed', say: memberChanged }),
    'member.removed': tells({ notice: 'member_removed', say: memberChanged }),
    'member.left': tells({ notice: 'member_removed', say: memberChanged }),
    'api_token.expiring': tells({ notice: 'token_expiring', say: tokenExpiring }),
    'cloud_token.refused': tells({ notice: 'cloud_token_refused', say: cloudTokenRefused }),
    'billing.trial_ending': tells({ notice: 'trial_ending', say: trialEnding }),
    'billing.trial_ended': tells({ notice: 'trial_ending', say: trialEnding }),
    'billing.subscribed': tells({ notice: 'plan_changed', say: planChanged }),
    'billing.plan_changed': tells({ notice: 'plan_changed', say: planChanged }),
    'billing.cancelled': tells({ notice: 'plan_changed', say: planChanged }),
    'billing.resumed': tells({ notice: 'plan_changed', say: planChanged }),
    'billing.renewed': tells({ notice: 'plan_changed', say: planChanged }),
    'billing.ended': tells({ notice: 'plan_changed', say: planPaused }),
    'billing.refund_owed': tells({ notice: 'plan_payment', say: planChanged }),
    'billing.duplicate_refunded': tells({ notice: 'plan_payment', say: planChanged }),
    'billing.payment_failed': tells({ notice: 'plan_payment', say: paymentFailed }),
    'billing.grace_ended': tells({ notice: 'plan_payment', say: planPaused }),
    'billing.recovered': tells({ notice: 'plan_payment', say: planRecovered }),
    'notification.paused': tells({ notice: 'channel_paused', say: channelPaused, among: others }),
  },
]

import type { Listeners } from '../../outbox.ts'
import { alertResolved, alertReminded, alertStarted } from './contents/alert.ts'
import {
  applicationCrashed,
  deploymentFailed,
  deploymentStarted,
  deploymentSucceeded,
} from './contents/deployment.ts'
import { paymentFailed, planChanged, planPaused, planRecovered, trialEnding } from './contents/billing.ts'
import { memberChanged } from './contents/member.ts'
import { channelPaused } from './contents/channel-paused.ts'
import {
  serverAdded,
  serverChangedAtCloud,
  serverDeleted,
  serverCreationFailed,
  serverSetUp,
  serverSetUpFailed,
} from './contents/server.ts'
import { cloudTokenRefused, tokenExpiring } from './contents/token.ts'
import { channelsOfAlert, otherChannels, previouslyNotified } from './recipients.ts'
import { notifyOf } from './write-messages.ts'

export const listeners: Listeners[] = [
  {
    'alert.started': notifyOf({ notice: 'alert', say: alertStarted, among: channelsOfAlert }),
    'alert.reminded': notifyOf({ notice: 'alert', say: alertReminded, among: channelsOfAlert }),
    'alert.over': notifyOf({ notice: 'alert', say: alertResolved, among: previouslyNotified }),
    'deployment.started': notifyOf({ notice: 'deployment_started', say: deploymentStarted }),
    'deployment.completed': notifyOf({ notice: 'deployment_succeeded', say: deploymentSucceeded }),
    'deployment.failed': notifyOf({ notice: 'deployment_failed', say: deploymentFailed }),
    'application.died': notifyOf({ notice: 'application_died', say: applicationCrashed }),
    'server.created': notifyOf({ notice: 'server_added', say: serverAdded }),
    'server.imported': notifyOf({ notice: 'server_added', say: serverAdded }),
    'server.setup_completed': notifyOf({ notice: 'server_set_up', say: serverSetUp }),
    'server.setup_failed': notifyOf({ notice: 'server_set_up_failed', say: serverSetUpFailed }),
    'server.creation_failed': notifyOf({ notice: 'server_creation_failed', say: serverCreationFailed }),
    'server.cloud_changed': notifyOf({ notice: 'server_cloud_changed', say: serverChangedAtCloud }),
    'server.deleted': notifyOf({ notice: 'server_deleted', say: serverDeleted }),
    'member.invited': notifyOf({ notice: 'member_invited', say: memberChanged }),
    'member.joined': notifyOf({ notice: 'member_joined', say: memberChanged }),
    'member.role_changed': notifyOf({ notice: 'member_role_changed', say: memberChanged }),
    'member.removed': notifyOf({ notice: 'member_removed', say: memberChanged }),
    'member.left': notifyOf({ notice: 'member_removed', say: memberChanged }),
    'api_token.expiring': notifyOf({ notice: 'token_expiring', say: tokenExpiring }),
    'cloud_token.refused': notifyOf({ notice: 'cloud_token_refused', say: cloudTokenRefused }),
    'billing.trial_ending': notifyOf({ notice: 'trial_ending', say: trialEnding }),
    'billing.trial_ended': notifyOf({ notice: 'trial_ending', say: trialEnding }),
    'billing.subscribed': notifyOf({ notice: 'plan_changed', say: planChanged }),
    'billing.plan_changed': notifyOf({ notice: 'plan_changed', say: planChanged }),
    'billing.cancelled': notifyOf({ notice: 'plan_changed', say: planChanged }),
    'billing.resumed': notifyOf({ notice: 'plan_changed', say: planChanged }),
    'billing.renewed': notifyOf({ notice: 'plan_changed', say: planChanged }),
    'billing.ended': notifyOf({ notice: 'plan_changed', say: planPaused }),
    'billing.refund_owed': notifyOf({ notice: 'plan_payment', say: planChanged }),
    'billing.duplicate_refunded': notifyOf({ notice: 'plan_payment', say: planChanged }),
    'billing.payment_failed': notifyOf({ notice: 'plan_payment', say: paymentFailed }),
    'billing.grace_ended': notifyOf({ notice: 'plan_payment', say: planPaused }),
    'billing.recovered': notifyOf({ notice: 'plan_payment', say: planRecovered }),
    'notification.paused': notifyOf({ notice: 'channel_paused', say: channelPaused, among: otherChannels }),
  },
]

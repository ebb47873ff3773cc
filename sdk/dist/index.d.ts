export type Severity="CRITICAL"|"MAJOR"|"MINOR"|"INFO";
export type SeverityCounts={
CRITICAL:number
MAJOR:number
MINOR:number
INFO:number
};
export type IssueStatus="OPEN"|"ACKNOWLEDGED"|"AWAITING_HUMAN_INPUT"|"RESOLVED"|"DISMISSED";
export type ReasonCode="FALSE_POSITIVE"|"SUBSTANTIATED"|"NOT_APPLICABLE"|"RISK_ACCEPTED"|"DUPLICATE"|"OTHER";
export type SubmissionStatus="uploading"|"submitted"|"processing"|"complete"|"failed";
export type ErrorType="corrupt_media"|"unsupported_media"|"encrypted_document"|"blob_changed"|"too_long"|"storage_unavailable"|"analyzer_timeout"|"analyzer_crashed"|"insufficient_credits"|"internal_error";
export type Mode="live"|"sandbox";
export type Role="viewer"|"reviewer"|"approver"|"admin";
export type EventType="asset.processing.completed"|"asset.processing.failed"|"asset.review.decided"|"asset.rejudged"|"certificate.issued"|"certificate.revoked";
export type DeliveryStatus="pending"|"succeeded"|"failed"|"exhausted";
export type DeliveryAttempt={
attempt:number
at:string
responseStatusCode:number|null
error:string|null
durationMs:number
};
export type Decision="approved"|"approved_with_conditions"|"changes_requested"|"rejected"|"escalated"|"withdrawn";
export type Region={
x:number
y:number
width:number
height:number
};
export type TimeSpan={
startSeconds:number
endSeconds:number
};
export type Citation={
clause:string
url:string
};
export type Author={
kind:"key"|"person"
id:string
name:string|null
};
export type FieldProblem={
path:string
message:string
};
export type Context={
jurisdictions?:string[]
sector?:string
channel?:string
audience?:string
destination?:string
brand?:string
product?:string
};
export type ErrorBody={
error_code:"simulation_delay_needs_sandbox_key"|"malformed_http"|"unauthenticated"|"sign_in_failed"|"tier_not_authorized_for_integrations_api"|"invalid_filename"|"invalid_blob_path"|"sandbox_key_required"|"mode_mismatch"|"role_required"|"person_required"|"cross_site_request"|"passwords_off"|"market_not_allowed"|"not_found"|"asset_not_finished"|"asset_failed"|"frame_not_found"|"evidence_not_kept"|"rendition_not_ready"|"no_rendition"|"link_not_valid"|"method_not_allowed"|"request_timeout"|"asset_not_failed"|"error_not_retryable"|"retry_limit_reached"|"retry_in_flight"|"idempotency_in_progress"|"person_exists"|"last_admin"|"review_claimed"|"review_state_not_allowed"|"open_critical_issues"|"own_upload"|"asset_not_approved"|"file_too_large"|"body_too_large"|"content_type_not_allowed"|"content_does_not_match_type"|"subscription_limit_reached"|"subscription_inactive"|"expectation_failed"|"invalid_request"|"idempotency_key_reused"|"headers_too_large"|"internal_error"|"unavailable"|"insufficient_storage"
message:string
};
export type ValidationErrorBody=ErrorBody & {
details:FieldProblem[]
};
export type PlanErrorBody={
error_code:"tier_not_authorized_for_integrations_api"
message:string
bucket:string
};
export type RateLimitErrorBody={
error:string
};
export type AssetProcessingCompleted={
type:"asset.processing.completed"
timestamp:string
data:{
asset_id:string
submission_id:string
workspace_id:string
status:"complete"
issue_count:number|null
severity_counts:SeverityCounts|null
highest_severity:Severity|null
filename:string
version_group_id:string
version_number:number
metadata:Record<string,unknown>|null
livemode:boolean
}
};
export type AssetProcessingFailed={
type:"asset.processing.failed"
timestamp:string
data:{
asset_id:string
submission_id:string
workspace_id:string
status:"failed"
error_message:string
error_type:ErrorType|"sandbox_simulated"
is_retryable:boolean
retry_count:number
filename:string
version_group_id:string
version_number:number
metadata:Record<string,unknown>|null
livemode:boolean
}
};
export type AssetRejudged={
type:"asset.rejudged"
timestamp:string
data:{
asset_id:string
submission_id:string
workspace_id:string
rejudge_id:string
issue_count:number
new_count:number
gone_count:number
changed_count:number
filename:string
version_group_id:string
version_number:number
livemode:boolean
}
};
export type AssetResult={
assetId:string
submissionId:string
filename:string
status:SubmissionStatus
issues:CompactIssue[]
mimeType:string|null
issueCount:number|null
versionNumber:number
versionGroupId:string|null
sizeBytes:number
sha256:string|null
errorMessage:string|null
errorType:ErrorType|null
};
export type AssetReviewDecided={
type:"asset.review.decided"
timestamp:string
data:{
asset_id:string
submission_id:string
workspace_id:string
review_id:string
decision_id:string
decision:Decision
reason:string|null
conditions:string[]
markets:string[]
decided_by:Author
filename:string
version_group_id:string
version_number:number
livemode:boolean
}
};
export type AssetStatus={
assetId:string
versionGroupId:string
versionNumber:number
issueCount:number|null
errorMessage:string|null
errorType:ErrorType|null
isRetryable:boolean
retryCount:number
filename:string
mimeType:string
sizeBytes:number
sha256:string|null
status:SubmissionStatus
progressPercent:number
};
export type AuditEntry={
number:number
entryId:string
createdAt:string
actor:{
kind:"key"|"person"|"operator"
id:string|null
name:string|null
}
action:string
target:{
kind:string
id:string
}
detail:Record<string,unknown>
hash:string
};
export type AuditPage=Page<AuditEntry>;
export type Certificate=ListedCertificate & {
envelope:CertificateEnvelope
};
export type CertificateEnvelope={
payloadType:string
payload:string
signatures:{
keyid:string
sig:string
}[]
};
export type CertificateIssued={
type:"certificate.issued"
timestamp:string
data:{
asset_id:string
submission_id:string
workspace_id:string
certificate_id:string
number:number
expires_at:string
filename:string
livemode:boolean
}
};
export type CertificatePage=Page<ListedCertificate>;
export type CertificateRevoked={
type:"certificate.revoked"
timestamp:string
data:{
asset_id:string
submission_id:string
workspace_id:string
certificate_id:string
number:number
reason:string
filename:string
livemode:boolean
}
};
export type Comment={
commentId:string
threadId:string|null
text:string
anchor:{
startSeconds:number|null
endSeconds:number|null
page:number|null
region:Region|null
issueId:string|null
}|null
author:Author
fromVersion:number|null
isResolved:boolean
resolvedBy:string|null
createdAt:string
updatedAt:string
};
export type CommentChange={
text?:string|null
isResolved?:boolean|null
};
export type CommentPage=Page<Comment>;
export type CompactIssue={
id:string
referenceNumber:number
ruleCode:string
summary:string
severity:Severity
status:IssueStatus
};
export type ComparedFinding={
fingerprint:string
ruleCode:string
severity:string
summary:string
};
export type ContentComparison={
state:"waiting"|"working"|"complete"|"failed"
match:"IDENTICAL"|"SAME_ESSENCE"|"SAME_CONTENT"|"ALTERED"|"DIFFERENT"|null
offsetSeconds:number
differences:ContentDifference[]
notes:string[]
newFindings:ComparedFinding[]
goneFindings:ComparedFinding[]
pictures:DifferencePicture[]
errorMessage:string|null
};
export type ContentDifference={
kind:"picture"|"frames"|"length"|"sound"|"loudness"|"text"|"tracks"
message:string
startSeconds:number|null
endSeconds:number|null
page:number|null
region:Region|null
before:string
after:string
};
export type CreateRejudge={
dryRun?:boolean|null
filter?:{
since?:string|null
until?:string|null
submissionIds?:string[]|null
}|null
context?:{
jurisdictions?:string[]|null
sector?:string|null
channel?:string|null
audience?:string|null
destination?:string|null
brand?:string|null
product?:string|null
}|null
sidekickIds?:string[]|null
};
export type Diff={
assetId:string
comparedWith:{
assetId:string
submissionId:string
versionNumber:number
}|null
new:CompactIssue[]
fixed:CompactIssue[]
persisting:CompactIssue[]
};
export type DifferencePicture={
difference:number
beforePng:string|null
afterJpeg:string|null
};
export type DirectUpload={
blobPath:string
sizeBytes:number
contentType:string
};
export type DirectUploadRequest={
file:Blob
};
export type Filmstrip={
contentType:string
columns:number
rows:number
count:number
tileWidth:number
tileHeight:number
intervalSeconds:number
}|null;
export type FireEvents={
eventType:"asset.processing.completed"|"asset.processing.failed"
submissionId:string
errorMessage?:string|null
};
export type Fired={
dispatched:number
};
export type Flashes={
notJudged:string|null
maxGeneralPerSecond:number
maxRedPerSecond:number
wcag:{
maxGeneralPerSecond:number
maxRedPerSecond:number
}
sequences:{
kind:"general"|"red"
startSeconds:number
endSeconds:number
flashes:number
areaShare:number
standard:"broadcast"|"wcag"
maxPerSecond:number
windowShare:number
region:Region|null
}[]
curve:{
stepSeconds:number
luminance:(number|null)[]
generalPerSecond:(number|null)[]
redPerSecond:(number|null)[]
}
}|null;
export type Invitation={
invitationId:string
email:string
role:Role
markets:string[]|null
createdAt:string
expiresAt:string|null
};
export type InvitationAcceptance={
token:string
name?:string|null
password?:string|null
};
export type InvitationList=List<Invitation>;
export type InvitationWithLink=Invitation & {
url:string
};
export type Issue=CompactIssue & {
createdAt:string
updatedAt:string
sidekickId:string
severityReasoning:string
severityReasoningHeadline:string
precedents:Precedent[]
fingerprint:string
location:{
startSeconds:number|null
endSeconds:number|null
page:number|null
region:Region|null
quote:string|null
}|null
measurement:{
value:number
limit:number|null
unit:string
}|null
recommendation:string
citation:Citation|null
secondReader:{
explanation:string
rewording:string|null
}|null
sidekickName:string
packVersion:string
ruleVersion:string
ruleSummary:string
reopened:boolean
earlierIssueId:string|null
};
export type IssueCertificate={
validDays?:number|null
};
export type IssueDecision={
status:IssueStatus
reason?:string|null
reasonCode?:ReasonCode|null
};
export type IssueDecisions=IssueDecision & {
issueIds?:string[]
filter?:{
severity?:Severity|null
status?:IssueStatus|null
ruleCode?:string|null
sidekickId?:string|null
}
};
export type IssueDecisionsResult={
decided:number
proposed:number
};
export type IssuePage={
submissionId:string
assetId:string
issues:Issue[]
total:number
hasMore:boolean
nextCursor:string|null
};
export type IssueWithHistory=Issue & {
history:{
fromStatus:IssueStatus
toStatus:IssueStatus
reason:string|null
keyId:string|null
personId:string|null
reasonCode:ReasonCode|null
proposedStatus:IssueStatus|null
createdAt:string
}[]
};
export type KeptEvidence={
submissionId:string
assetId:string
formatVersion:number
sizeBytes:number
sha256:string
context:Record<string,unknown>
};
export type Key={
keyId:string
mode:Mode
name:string|null
keyHint:string
createdAt:string
expiresAt:string|null
revokedAt:string|null
lastUsedAt:string|null
};
export type KeyList=List<Key>;
export type KeyWithSecret=Key & {
key:string
};
export type Limits={
workspaceId:string
plan:string
mode:Mode
windowSeconds:number
buckets:{
bucket:"upload"|"submission_write"|"submission_read"|"webhook_write"|"webhook_read"|"sandbox"
requestsPerMinute:number|null
remaining:number|null
}[]
};
export type ListedCertificate={
certificateId:string
number:number
submissionId:string
assetId:string
filename:string
sha256:string
status:"VALID"|"EXPIRED"|"REVOKED"
supersededBy:string|null
supersededByRejudge:string|null
revokedReason:string|null
issuedAt:string
expiresAt:string
revokedAt:string|null
};
export type Loudness={
integratedLufs:number|null
maxShortTermLufs:number|null
maxMomentaryLufs:number|null
rangeLu:number|null
truePeakDbtp:number|null
curve:{
startSeconds:number
stepSeconds:number
momentaryLufs:(number|null)[]
shortTermLufs:(number|null)[]
}
}|null;
export type MarketList=List<{
market:string
name:string
minimumRules:number
}>;
export type Me=MeChange & {
personId:string
email:string
sessionId:string
workspaceId:string|null
role:Role|null
markets:string[]|null
mode:Mode
workspaces:{
workspaceId:string
name:string
role:Role
markets:string[]|null
}[]
};
export type MeChange={
name:string
};
export type Measurements={
loudness:Loudness
flashes:Flashes
patterns:{
notJudged:string|null
patterns:{
startSeconds:number
endSeconds:number
pairs:number
areaShare:number
brightNits:number
motion:"still"|"moving"|"reversing"
region:Region|null
}[]
}|null
tones:{
kind:"eas_attention"|"eas_header"|"weather_alarm"
startSeconds:number
endSeconds:number
levelDbfs:number
}[]|null
black:TimeSpan[]|null
freezes:TimeSpan[]|null
silences:TimeSpan[]|null
supers:Super[]|null
speech:{
segmentCount:number
notJudged:string|null
}|null
captions:{
language:string|null
codec:string
cues:{
startSeconds:number
endSeconds:number
text:string
lines:string[]
}[]
}[]|null
nudity:{
seconds:number|null
score:number
}[]|null
pages:{
page:number
text:string
}[]|null
omissions:string[]|null
image:{
width:number
height:number
frameCount:number
hasAlpha:boolean
orientation:number|null
durationSeconds:number|null
}|null
metadata:MediaMetadata
suggestedContext:{
jurisdictions:string[]|null
sector:string|null
because:string[]
notUnderstood:string[]
}|null
};
export type MediaMetadata={
gps:{
latitude:number
longitude:number
source:string
}|null
entries:{
name:string
value:string
source:string
}[]
digitalSourceType:{
value:string
source:string
}|null
contentCredentials:{
isValid:boolean
isAiMade:boolean
issuer:string|null
claimGenerator:string|null
actions:string[]
problems:string[]
}|null
}|null;
export type MediaRendition={
source:"original"|"rendition"
contentType:string
sizeBytes:number
width:number|null
height:number|null
isToneMapped:boolean
}|null;
export type Member={
personId:string
email:string
name:string
role:Role
markets:string[]|null
joinedAt:string
isDisabled:boolean
hasPassword:boolean
};
export type MemberChange={
role?:Role|null
markets?:string[]|null
};
export type MemberList=List<Member>;
export type NewComment={
text:string
threadId?:string|null
anchor?:{
startSeconds?:number|null
endSeconds?:number|null
page?:number|null
region?:Region|null
issueId?:string|null
}
};
export type NewInvitation={
email:string
role:Role
markets?:string[]|null
};
export type NewIssue={
summary:string
severity:Severity
ruleCode?:string|null
reasoning?:string|null
recommendation?:string|null
location?:{
startSeconds?:number|null
endSeconds?:number|null
page?:number|null
region?:Region|null
quote?:string|null
}
};
export type NewKey={
mode:Mode
name?:string|null
expiresAt?:string|null
};
export type NewReviewDecision={
decision:Decision
reason?:string|null
conditions?:string[]|null
markets?:string[]|null
};
export type NewSubmission={
assets:{
blobPath:string
previousSubmissionId?:string|null
}[]
sidekickIds?:string[]|null
metadata?:Record<string,unknown>|null
};
export type NewWebhookSubscription={
url:string
eventTypes:EventType[]
description?:string|null
isActive?:boolean|null
headers?:Record<string,string>|null
};
export type PageImage={
page:number
width:number
height:number
};
export type PageImages={
count:number
ready:PageImage[]
}|null;
export type PasswordChange={
currentPassword:string
newPassword:string
};
export type PasswordReset={
token:string
password:string
};
export type PosterRendition={
contentType:string
width:number|null
height:number|null
}|null;
export type Precedent={
url:string
title:string
decision:string
date:string
};
export type RealtimeToken=RealtimeTokenRequest & {
token:string
url:string
expiresAt:string
};
export type RealtimeTokenRequest={
channel:string
};
export type RecoverDeliveries={
since:string
until?:string|null
};
export type RecoveredDeliveries={
count:number
};
export type Rejudge={
rejudgeId:string
state:"waiting"|"working"|"complete"|"failed"
dryRun:boolean
filter:Record<string,unknown>
context:Record<string,unknown>|null
sidekickIds:string[]|null
assetCount:number
doneCount:number
changedCount:number
skippedCount:number
progressPercent:number
errorMessage:string|null
createdAt:string
completedAt:string|null
rules:{
ruleCode:string
new:number
gone:number
changed:number
samples:RejudgeChange[]
}[]
};
export type RejudgeChange={
changeId:string
submissionId:string
assetId:string
filename:string
change:"new"|"gone"|"changed"
ruleCode:string
fingerprint:string
severityBefore:Severity|null
severityAfter:Severity|null
summary:string
};
export type RejudgeChangePage=Page<RejudgeChange>;
export type Renditions={
assetId:string
status:"off"|"waiting"|"working"|"ready"|"failed"
progressPercent:number
errorMessage:string|null
durationSeconds:number|null
framesPerSecond:number|null
media:MediaRendition
poster:PosterRendition
filmstrip:Filmstrip
hasWaveform:boolean
pages:PageImages
};
export type ResetLink={
url:string
expiresAt:string|null
};
export type Review={
reviewId:string
submissionId:string
assetId:string
state:Decision|"awaiting_review"|"in_review"
mode:Mode
filename:string
mimeType:string
hasThumbnail:boolean
versionGroupId:string
versionNumber:number
markets:string[]
severity:Severity|null
openIssues:SeverityCounts
undecidedCount:number
uploader:{
kind:"key"|"person"
id:string
}|null
assignee:{
personId:string
name:string
}|null
dueAt:string|null
claim:{
holderId:string
name:string|null
until:string
}|null
openedAt:string
updatedAt:string
decidedAt:string|null
};
export type ReviewChange={
assigneeId?:string|null
dueAt?:string|null
};
export type ReviewDecision={
decisionId:string
decision:Decision
reason:string|null
conditions:string[]
markets:string[]
decidedBy:Author
createdAt:string
supersededBy:string|null
};
export type ReviewPage=Page<Review>;
export type ReviewRules={
uploaderMayNotApprove:boolean
secondPersonForCritical:boolean
openCriticalBlocksApproval:boolean
keyMayNotApprove:boolean
};
export type ReviewRulesChange={
uploaderMayNotApprove?:boolean
secondPersonForCritical?:boolean
openCriticalBlocksApproval?:boolean
keyMayNotApprove?:boolean
};
export type ReviewWithDecisions=Review & {
decisions:ReviewDecision[]
};
export type RevokeCertificate={
reason:string
};
export type RotateSecret={
gracePeriodSeconds?:number|null
}|null;
export type RotatedWebhookSubscription=WebhookSubscription & {
secret:string
previousSecretExpiresAt:string|null
};
export type Rule={
code:string
summary:string
severity:Severity
why:string
fix:string
citation:Citation|null
jurisdictions:string[]
sectors:string[]
channels:string[]
audiences:string[]
destinations:string[]
from:string|null
whenUndeclared:"lower"|"info"|"ask"|"quiet"
needsHuman:boolean
checkKind:string
precedents:Precedent[]
};
export type RuleExampleList=List<RuleExamples>;
export type RuleExamples={
code:string
fails:string[]
passes:string[]
};
export type RulePage=Page<Rule> & {
sidekickId:string
};
export type SearchHit={
source:"screen"|"speech"|"caption"|"document"
text:string
startSeconds:number|null
endSeconds:number|null
page:number|null
region:Region|null
};
export type SearchHitPage=Page<SearchHit>;
export type SecondReading={
readingId:string
createdAt:string
model:string
promptVersion:string
outcome:"used"|"refused"|"unavailable"|"over_budget"
detail:string|null
request:string
imageCount:number
answer:string|null
tokens:number
durationMs:number
};
export type SecondReadingPage=Page<SecondReading>;
export type Session={
sessionId:string
isCurrent:boolean
createdAt:string
lastSeenAt:string
userAgent:string|null
address:string|null
};
export type SessionList=List<Session>;
export type Setup={
token:string
email:string
name:string
password?:string|null
};
export type Sidekick={
sidekickId:string
name:string
description:string
jurisdictions:string[]
mediaKinds:string[]
packVersion:string
ruleCount:number
isDefault:boolean
};
export type SidekickPage=Page<Sidekick>;
export type SignIn={
email:string
password:string
};
export type SignInOptions={
passwords:boolean
oidc:{
name:string
url:string
}|null
};
export type Submission={
submissionId:string
workflowId:string
workspaceId:string
status:SubmissionStatus
progressPercent:number
createdAt:string
completedAt:string|null
errorMessage:string|null
assets:AssetStatus[]
isRetryable:boolean
mode:Mode
metadata:Record<string,unknown>|null
sidekickIds:string[]
};
export type SubmissionCreated={
submissionId:string
workflowId:string
realtimeChannel:string
status:SubmissionStatus
assets:{
assetId:string
versionGroupId:string
versionNumber:number
}[]
};
export type SubmissionPage=Page<Submission>;
export type Super={
text:string
startSeconds:number|null
endSeconds:number|null
heightLines:number
contrastRatio:number|null
region:Region|null
heightShare:number
isMoving:boolean
confidence:number
isCode:boolean
};
export type TestWebhook={
eventType:EventType
};
export type TextTrial={
text:string
on?:"document"|"screen"|"speech"|null
jurisdictions?:string[]
sector?:string|null
channel?:string|null
audience?:string|null
};
export type TextTrialResult={
findings:{
ruleCode:string
summary:string
severity:Severity
sidekickName:string
recommendation:string
quote:string|null
}[]
};
export type Topic={
topicId:string
title:string
summary:string
severity:Severity
issueCount:number
issueIds:string[]
ruleCodes:string[]
};
export type Topics={
assetId:string
topics:Topic[]
orphanIssues:CompactIssue[]
metadata:{
algorithm:string
algorithmVersion:string
generatedAt:string
totalIssues:number
clusteredIssueCount:number
orphanIssueCount:number
}
};
export type TranscriptPage=Page<TranscriptSegment>;
export type TranscriptSegment={
startSeconds:number
endSeconds:number
text:string
confidence:number
isDoubtful:boolean
};
export type UpcomingRules=List<{
ruleCode:string
summary:string
severity:Severity
from:string
sidekickId:string
citation:Citation|null
assetCount:number
assets:{
submissionId:string
assetId:string
filename:string
severity:Severity
summary:string
}[]
}> & {
today:string
assetCount:number
judgedCount:number
};
export type UploadUrl=UploadUrlRenewal & {
expiresAt:string
};
export type UploadUrlRenewal={
blobPath:string
uploadUrl:string
};
export type UploadUrlRequest={
filename:string
contentType:string
};
export type Usage=List<UsageWeek>;
export type UsageWeek={
week:string
assets:number
failed:number
sizeBytes:number
minutes:number
credits:number
};
export type Verdicts={
submissionId:string
assetId:string
markets:{
market:string
name:string
verdict:"blocked"|"changes_needed"|"needs_human"|"not_assessed"|"conditional"|"clear_with_notes"|"clear"
conditions:string[]
coverage:{
placeRules:number
ownRules:number
minimumRules:number
isSufficient:boolean
isThin:boolean
}
unjudgedRules:string[]
findings:{
fingerprint:string
ruleCode:string
severity:Severity
summary:string
needsHuman:boolean
isOpen:boolean
status:IssueStatus|null
conditions:string[]
}[]
}[]
fixes:{
fingerprint:string
ruleCode:string
severity:Severity
summary:string
recommendation:string
markets:string[]
unlocks:string[]
}[]
topics:{
title:string
severity:Severity
markets:{
market:string
severity:Severity
count:number
}[]
}[]
};
export type Verification={
trust:"VALID"|"EXPIRED"|"REVOKED"|"UNTRUSTED"
reason:string|null
file:"IDENTICAL"|"NOT_IDENTICAL"|null
supersededBy:string|null
supersededByRejudge:string|null
content:ContentComparison|null
statement:Record<string,unknown>|null
};
export type VerifyCertificate={
envelope?:CertificateEnvelope
certificateId?:string|null
sha256?:string|null
assetId?:string|null
};
export type Version={
versionGroupId:string
versionNumber:number
submissionId:string
assetId:string
filename:string
status:SubmissionStatus
issueCount:number|null
createdAt:string
completedAt:string|null
isLatest:boolean
diff:{
new:number
fixed:number
persisting:number
}|null
};
export type Versions={
submissionId:string
versions:Version[]
};
export type Waveform={
durationSeconds:number
peaks:number[]
};
export type WebhookDelivery={
deliveryId:string
eventId:string
eventType:EventType
subscriptionId:string
status:DeliveryStatus
attempt:number
responseStatusCode:number|null
error:string|null
responseBody:string|null
durationMs:number|null
attempts:DeliveryAttempt[]
createdAt:string
lastAttemptAt:string|null
nextAttemptAt:string|null
};
export type WebhookDeliveryPage=Page<WebhookDelivery>;
export type WebhookDeliveryWithPayload=WebhookDelivery & {
payload:string
};
export type WebhookSubscription={
subscriptionId:string
url:string
eventTypes:EventType[]
isActive:boolean
description:string|null
headers:Record<string,string>
disabledReason:string|null
createdAt:string
updatedAt:string
};
export type WebhookSubscriptionChanges={
url?:string|null
eventTypes?:EventType[]|null
description?:string|null
isActive?:boolean|null
headers?:Record<string,string>|null
};
export type WebhookSubscriptionPage=Page<WebhookSubscription>;
export type WebhookSubscriptionWithSecret=WebhookSubscription & {
secret:string
};
export type Workspace=WorkspaceChoice & {
name:string
plan:string
creditBalance:number|null
defaultSidekickIds:string[]|null
defaultContext:Context|null
reviewRules:ReviewRules
markets:string[]|null
createdAt:string
};
export type WorkspaceChange={
defaultSidekickIds?:string[]|null
defaultContext?:Context|null
reviewRules?:ReviewRulesChange
markets?:string[]|null
};
export type WorkspaceChoice={
workspaceId:string
};
export type List<Item>={
data:Item[]
};
export type Page<Item>=List<Item> & {
hasMore:boolean
nextCursor:string|null
};
export type NoFields={
[name in never]:never
};
export type SubmissionPath={
submission_id:string
};
export type AssetPath={
submission_id:string
asset_id:string
};
export type IssuePath={
submission_id:string
asset_id:string
issue_id:string
};
export type CommentPath={
submission_id:string
asset_id:string
comment_id:string
};
export type WebhookPath={
subscription_id:string
};
export type DeliveryPath={
subscription_id:string
delivery_id:string
};
export type PageQuery={
limit?:number|null
cursor?:string|null
};
export type Operation<Result=undefined,Params=NoFields,Body=undefined,Query=NoFields>={
params:Params
query:Query
body:Body
result:Result
};
export type Operations={
createUploadUrl:Operation<UploadUrl,NoFields,UploadUrlRequest>
renewUploadUrl:Operation<UploadUrl,NoFields,UploadUrlRenewal>
uploadDirectly:Operation<DirectUpload,NoFields,DirectUploadRequest>
createSubmission:Operation<SubmissionCreated,NoFields,NewSubmission,{
simulationDelaySeconds?:number|null
}>
listSubmissions:Operation<SubmissionPage,NoFields,undefined,PageQuery & {
status?:SubmissionStatus|null
}>
readSubmission:Operation<Submission,SubmissionPath>
deleteSubmission:Operation<undefined,SubmissionPath>
retryAsset:Operation<SubmissionCreated,AssetPath,{
reason?:string|null
}|null|undefined>
readVersions:Operation<Versions,SubmissionPath>
readAsset:Operation<AssetResult,AssetPath>
readIssues:Operation<IssuePage,AssetPath,undefined,PageQuery & {
severity?:Severity|null
status?:IssueStatus|null
ruleCode?:string|null
sidekickId?:string|null
}>
reportIssue:Operation<Issue,AssetPath,NewIssue>
readIssue:Operation<IssueWithHistory,IssuePath>
changeIssueStatus:Operation<Issue,IssuePath,IssueDecision>
readIssueFrame:Operation<Response,IssuePath>
readTopics:Operation<Topics,AssetPath>
readDiff:Operation<Diff,AssetPath>
readMeasurements:Operation<Measurements,AssetPath>
readTranscript:Operation<TranscriptPage,AssetPath,undefined,PageQuery>
listSecondReadings:Operation<SecondReadingPage,AssetPath,undefined,PageQuery>
searchAsset:Operation<SearchHitPage,AssetPath,undefined,PageQuery & {
q?:string|null
}>
readOriginal:Operation<undefined,AssetPath>
readRenditions:Operation<Renditions,AssetPath>
readMedia:Operation<Response,AssetPath>
readPoster:Operation<Response,AssetPath>
readThumbnail:Operation<Response,AssetPath>
readFilmstrip:Operation<Response,AssetPath>
readWaveform:Operation<Waveform,AssetPath>
readPage:Operation<Response,{
submission_id:string
asset_id:string
page_number:string
}>
readEvidence:Operation<KeptEvidence,AssetPath>
downloadEvidence:Operation<Response,AssetPath>
downloadPrint:Operation<Response,AssetPath>
createRejudge:Operation<Rejudge,NoFields,CreateRejudge|undefined>
readRejudge:Operation<Rejudge,{
rejudge_id:string
}>
listRejudgeChanges:Operation<RejudgeChangePage,{
rejudge_id:string
},undefined,PageQuery & {
ruleCode?:string|null
change?:"new"|"gone"|"changed"|null
}>
exportRejudge:Operation<Response,{
rejudge_id:string
}>
readUpcoming:Operation<UpcomingRules>
listMarkets:Operation<MarketList>
readVerdicts:Operation<Verdicts,AssetPath,undefined,{
markets?:string|null
detail?:"full"|"summary"|null
}>
listSidekicks:Operation<SidekickPage,NoFields,undefined,PageQuery>
listRules:Operation<RulePage,{
sidekick_id:string
},undefined,PageQuery>
fireSandboxEvents:Operation<Fired,NoFields,FireEvents>
listReviews:Operation<ReviewPage,NoFields,undefined,PageQuery & {
state?:string|null
assignee?:string|null
severity?:Severity|"NONE"|null
market?:string|null
q?:string|null
order?:"newest"|"oldest"|null
}>
readReview:Operation<ReviewWithDecisions,AssetPath>
changeReview:Operation<ReviewWithDecisions,AssetPath,ReviewChange|undefined>
claimReview:Operation<ReviewWithDecisions,AssetPath>
releaseReview:Operation<undefined,AssetPath>
decideReview:Operation<ReviewDecision,AssetPath,NewReviewDecision>
listComments:Operation<CommentPage,AssetPath,undefined,PageQuery>
createComment:Operation<Comment,AssetPath,NewComment>
changeComment:Operation<Comment,CommentPath,CommentChange|undefined>
deleteComment:Operation<undefined,CommentPath>
decideIssues:Operation<IssueDecisionsResult,AssetPath,IssueDecisions>
listCertificates:Operation<CertificatePage,NoFields,undefined,PageQuery & {
assetId?:string|null
}>
issueCertificate:Operation<Certificate,AssetPath,IssueCertificate|undefined>
readCertificate:Operation<Certificate,{
certificate_id:string
}>
revokeCertificate:Operation<Certificate,{
certificate_id:string
},RevokeCertificate>
verifyCertificate:Operation<Verification,NoFields,VerifyCertificate|undefined>
listAudit:Operation<AuditPage,NoFields,undefined,PageQuery & {
action?:string|null
actorId?:string|null
targetId?:string|null
}>
exportAudit:Operation<Response,NoFields,undefined,{
format?:"ndjson"|"csv"|null
}>
createWebhook:Operation<WebhookSubscriptionWithSecret,NoFields,NewWebhookSubscription>
listWebhooks:Operation<WebhookSubscriptionPage,NoFields,undefined,PageQuery>
readWebhook:Operation<WebhookSubscription,WebhookPath>
updateWebhook:Operation<WebhookSubscription,WebhookPath,WebhookSubscriptionChanges|undefined>
deleteWebhook:Operation<undefined,WebhookPath>
testWebhook:Operation<WebhookDelivery,WebhookPath,TestWebhook>
rotateWebhookSecret:Operation<RotatedWebhookSubscription,WebhookPath,RotateSecret|undefined>
listWebhookDeliveries:Operation<WebhookDeliveryPage,WebhookPath,undefined,PageQuery & {
status?:DeliveryStatus|null
}>
readWebhookDelivery:Operation<WebhookDeliveryWithPayload,DeliveryPath>
replayWebhookDelivery:Operation<WebhookDelivery,DeliveryPath>
recoverWebhookDeliveries:Operation<RecoveredDeliveries,WebhookPath,RecoverDeliveries>
openChannel:Operation<Response,RealtimeTokenRequest,undefined,{
lastEventId?:string
token?:string
}>
createRealtimeToken:Operation<RealtimeToken,NoFields,RealtimeTokenRequest>
readLimits:Operation<Limits>
readSignInOptions:Operation<SignInOptions>
setUp:Operation<Me,NoFields,Setup>
signIn:Operation<Me,NoFields,SignIn>
chooseWorkspace:Operation<Me,NoFields,WorkspaceChoice>
signOut:Operation
beginSingleSignOn:Operation
finishSingleSignOn:Operation
readMe:Operation<Me>
changeMe:Operation<Me,NoFields,MeChange>
changePassword:Operation<undefined,NoFields,PasswordChange>
listSessions:Operation<SessionList>
endSession:Operation<undefined,{
session_id:string
}>
resetPassword:Operation<undefined,NoFields,PasswordReset>
listPeople:Operation<MemberList>
changePerson:Operation<Member,{
person_id:string
},MemberChange|undefined>
removePerson:Operation<undefined,{
person_id:string
}>
createResetLink:Operation<ResetLink,{
person_id:string
}>
listInvitations:Operation<InvitationList>
createInvitation:Operation<InvitationWithLink,NoFields,NewInvitation>
acceptInvitation:Operation<Me,NoFields,InvitationAcceptance>
deleteInvitation:Operation<undefined,{
invitation_id:string
}>
listKeys:Operation<KeyList>
createKey:Operation<KeyWithSecret,NoFields,NewKey>
revokeKey:Operation<undefined,{
key_id:string
}>
readWorkspace:Operation<Workspace>
changeWorkspace:Operation<Workspace,NoFields,WorkspaceChange|undefined>
listRuleExamples:Operation<RuleExampleList>
tryText:Operation<TextTrialResult,NoFields,TextTrial>
readUsage:Operation<Usage>
};
type Fetch=(url:string,init:RequestInit) =>Promise<Response>;
export type ClientOptions={
apiKey?:string
baseUrl?:string
fetch?:Fetch
maxRetries?:number
timeoutMs?:number
headers?:Record<string,string>
};
export type RequestOptions={
signal?:AbortSignal
idempotencyKey?:string
};
type OperationName=keyof Operations;
type Query<Name extends OperationName>=Operations[Name]["query"];
type Body<Name extends OperationName>=Operations[Name]["body"];
type Part<Key extends string,Value>=NoFields extends Value ? {
[K in Key]?:Value
}:{
[K in Key]:Value
};
export type OperationInput<Name extends OperationName>=RequestOptions & Part<"params",Operations[Name]["params"]> & Part<"query",Operations[Name]["query"]> & (undefined extends Operations[Name]["body"] ? {
body?:Operations[Name]["body"]
}:{
body:Operations[Name]["body"]
});
type Call = <Name extends OperationName>(name:Name,...input:NoFields extends OperationInput<Name> ? [OperationInput<Name>?]:[OperationInput<Name>]) =>Promise<Operations[Name]["result"]>;
type Message<Event extends string,Data>={
event:Event
channel:string
timestamp:string
data:Data
};
type AssetFacts={
submissionId:string
assetId:string
workspaceId:string
filename:string
versionGroupId:string
versionNumber:number
metadata:Record<string,unknown>|null
livemode:boolean
};
export type RealtimeMessage =
Message<"submission.status",Partial<Submission> & {
submissionId:string
status:Submission["status"]
}>|Message<"asset.progress",{
submissionId:string
assetId:string
progressPercent:number
}>|Message<"asset.issue",{
submissionId:string
assetId:string
issue:CompactIssue
}>
|Message<"asset.restarted",{
submissionId:string
assetId:string
}>|Message<"asset.completed",AssetFacts & {
status:"complete"
issueCount:number|null
}>|Message<"asset.failed",AssetFacts & {
status:"failed"
errorMessage:string
errorType:AssetStatus["errorType"]
isRetryable:boolean
retryCount:number
}>;
export type FollowOptions={
signal?:AbortSignal
lastEventId?:string
};
export type UploadCheckpoint=UploadUrl & {
filename:string
contentType:string
sizeBytes:number
blockBytes:number
blocks:number[]
};
export type UploadSource=Blob|Uint8Array|RandomAccessSource;
export type RandomAccessSource={
size:number
read(start:number,end:number):Promise<Blob|Uint8Array>
};
export type UploadOptions={
filename?:string
contentType?:string
signal?:AbortSignal
onProgress?:(progress:{
sentBytes:number
totalBytes:number
}) =>void
onCheckpoint?:(checkpoint:UploadCheckpoint) =>void
resume?:UploadCheckpoint
};
export type WaitOptions={
signal?:AbortSignal
timeoutMs?:number
onMessage?:(message:RealtimeMessage) =>void
stream?:boolean
};
export type WebhookEvent=AssetProcessingCompleted|AssetProcessingFailed|AssetReviewDecided|AssetRejudged|CertificateIssued|CertificateRevoked;
export type WebhookHeaders={
get(name:string):string|null
}|Record<string,string|string[]|undefined>;
export type UnwrapOptions={
body:string|Uint8Array
headers:WebhookHeaders
secret:string|readonly string[]
toleranceSeconds?:number
now?:Date
};
export declare function unwrapWebhook(options:UnwrapOptions):Promise<WebhookEvent>;
export type Pages<Page,Item>=AsyncIterable<Item> & {
page():Promise<Page>
pages():AsyncIterable<Page>
all():Promise<Item[]>
};
export type Greenlit=ReturnType<typeof createGreenlit>;
export declare function createGreenlit(options?:ClientOptions):{
reviews:{
list:(query?:Query<"listReviews">) =>Pages<ReviewPage,Review>
get:(submissionId:string,assetId:string) =>Promise<ReviewWithDecisions>
update:(submissionId:string,assetId:string,changes:Body<"changeReview">) =>Promise<ReviewWithDecisions>
claim:(submissionId:string,assetId:string) =>Promise<ReviewWithDecisions>
release:(submissionId:string,assetId:string) =>Promise<undefined>
decide:(submissionId:string,assetId:string,decision:Body<"decideReview">) =>Promise<ReviewDecision>
}
comments:{
list:(submissionId:string,assetId:string,query?:Query<"listComments">) =>Pages<CommentPage,Comment>
create:(submissionId:string,assetId:string,comment:Body<"createComment">) =>Promise<Comment>
update:(submissionId:string,assetId:string,commentId:string,changes:Body<"changeComment">) =>Promise<Comment>
delete:(submissionId:string,assetId:string,commentId:string) =>Promise<undefined>
}
audit:{
list:(query?:Query<"listAudit">) =>Pages<AuditPage,AuditEntry>
export:(query?:Query<"exportAudit">) =>Promise<string>
}
session:{
options:() =>Promise<SignInOptions>
signIn:(credentials:Body<"signIn">) =>Promise<Me>
signOut:() =>Promise<undefined>
chooseWorkspace:(choice:Body<"chooseWorkspace">) =>Promise<Me>
list:() =>Promise<SessionList>
end:(sessionId:string) =>Promise<undefined>
}
me:{
get:() =>Promise<Me>
update:(changes:Body<"changeMe">) =>Promise<Me>
changePassword:(change:Body<"changePassword">) =>Promise<undefined>
}
people:{
list:() =>Promise<MemberList>
update:(personId:string,changes:Body<"changePerson">) =>Promise<Member>
remove:(personId:string) =>Promise<undefined>
createResetLink:(personId:string) =>Promise<ResetLink>
invite:(invitation:Body<"createInvitation">) =>Promise<InvitationWithLink>
invitations:() =>Promise<InvitationList>
withdrawInvitation:(invitationId:string) =>Promise<undefined>
}
keys:{
list:() =>Promise<KeyList>
create:(key:Body<"createKey">) =>Promise<KeyWithSecret>
revoke:(keyId:string) =>Promise<undefined>
}
workspace:{
get:() =>Promise<Workspace>
update:(changes:Body<"changeWorkspace">) =>Promise<Workspace>
}
call:Call
upload:(source:UploadSource,options?:UploadOptions) =>Promise<DirectUpload>
uploads:{
createUrl:(file:{
filename:string
contentType:string
}) =>Promise<UploadUrl>
renewUrl:(upload:{
blobPath:string
uploadUrl:string
},{ signal }?:RequestOptions) =>Promise<UploadUrl>
}
submissions:{
create:(submission:NewSubmission,{ simulationDelaySeconds,...options }?:RequestOptions & {
simulationDelaySeconds?:number
}) =>Promise<SubmissionCreated>
get:(submissionId:string) =>Promise<Submission>
list:(query?:Query<"listSubmissions">) =>Pages<SubmissionPage,Submission>
delete:(submissionId:string) =>Promise<undefined>
versions:(submissionId:string) =>Promise<Versions>
waitUntilDone:(submissionId:string,options?:WaitOptions) =>Promise<Submission>
}
assets:{
get:(submissionId:string,assetId:string) =>Promise<AssetResult>
issues:(submissionId:string,assetId:string,query?:Query<"readIssues">) =>Pages<IssuePage,Issue>
topics:(submissionId:string,assetId:string) =>Promise<Topics>
diff:(submissionId:string,assetId:string) =>Promise<Diff>
measurements:(submissionId:string,assetId:string) =>Promise<Measurements>
transcript:(submissionId:string,assetId:string) =>Promise<TranscriptPage>
search:(submissionId:string,assetId:string,query?:Query<"searchAsset">) =>Pages<SearchHitPage,SearchHit>
retry:(submissionId:string,assetId:string,{ reason,...options }?:RequestOptions & {
reason?:string
}) =>Promise<SubmissionCreated>
originalUrl:(submissionId:string,assetId:string) =>Promise<string>
}
issues:{
get:(submissionId:string,assetId:string,issueId:string) =>Promise<IssueWithHistory>
update:(submissionId:string,assetId:string,issueId:string,decision:IssueDecision) =>Promise<Issue>
report:(submissionId:string,assetId:string,issue:Body<"reportIssue">) =>Promise<Issue>
decide:(submissionId:string,assetId:string,decisions:Body<"decideIssues">) =>Promise<IssueDecisionsResult>
frame:(submissionId:string,assetId:string,issueId:string) =>Promise<Blob>
}
certificates:{
issue:(submissionId:string,assetId:string,certificate?:Body<"issueCertificate">) =>Promise<Certificate>
get:(certificateId:string) =>Promise<Certificate>
verify:(question:Body<"verifyCertificate">) =>Promise<Verification>
}
sidekicks:{
list:() =>Promise<SidekickPage>
rules:(sidekickId:string) =>Promise<RulePage>
}
sandbox:{
fireEvents:(event:Body<"fireSandboxEvents">) =>Promise<Fired>
}
webhooks:{
create:(subscription:NewWebhookSubscription,options?:RequestOptions) =>Promise<WebhookSubscriptionWithSecret>
list:(query?:Query<"listWebhooks">) =>Pages<WebhookSubscriptionPage,WebhookSubscription>
get:(subscriptionId:string) =>Promise<WebhookSubscription>
update:(subscriptionId:string,changes:Body<"updateWebhook">) =>Promise<WebhookSubscription>
delete:(subscriptionId:string) =>Promise<undefined>
test:(subscriptionId:string,event:Body<"testWebhook">) =>Promise<WebhookDelivery>
rotateSecret:(subscriptionId:string,rotation?:Body<"rotateWebhookSecret">) =>Promise<RotatedWebhookSubscription>
recover:(subscriptionId:string,span:Body<"recoverWebhookDeliveries">) =>Promise<RecoveredDeliveries>
deliveries:(subscriptionId:string,query?:Query<"listWebhookDeliveries">) =>Pages<WebhookDeliveryPage,WebhookDelivery>
delivery:(subscriptionId:string,deliveryId:string) =>Promise<WebhookDeliveryWithPayload>
replay:(subscriptionId:string,deliveryId:string) =>Promise<WebhookDelivery>
unwrap:(delivery:UnwrapOptions) =>Promise<WebhookEvent>
}
realtime:{
follow:(channel:string,options?:FollowOptions) =>AsyncGenerator<RealtimeMessage,any,any>
createToken:(channel:string) =>Promise<RealtimeToken>
}
limits:() =>Promise<Limits>
};
export type ErrorCode=ErrorBody["error_code"]|"rate_limited";
export declare class GreenlitError extends Error {
name:string
}
export declare class ConnectionError extends GreenlitError {
name:string
}
export declare class TimeoutError extends ConnectionError {
name:string
}
type Refusal={
status:number
code:ErrorCode|null
message:string
requestId:string|null
details:{
path:string
message:string
}[]
retryAfterSeconds:number|null
};
export declare class ApiError extends GreenlitError {
name:string
readonly status:number
readonly code:ErrorCode|null
readonly requestId:string|null
readonly details:{
path:string
message:string
}[]
readonly retryAfterSeconds:number|null
constructor({ status,code,message,requestId,details,retryAfterSeconds }:Refusal)
}
export declare class AuthenticationError extends ApiError {
name:string
}
export declare class PlanError extends ApiError {
name:string
}
export declare class ForbiddenError extends ApiError {
name:string
}
export declare class NotFoundError extends ApiError {
name:string
}
export declare class ConflictError extends ApiError {
name:string
}
export declare class TooLargeError extends ApiError {
name:string
}
export declare class UnsupportedTypeError extends ApiError {
name:string
}
export declare class ValidationError extends ApiError {
name:string
}
export declare class RateLimitError extends ApiError {
name:string
}
export declare class ServerError extends ApiError {
name:string
}
export declare class UploadError extends GreenlitError {
name:string
readonly status:number
readonly code:string|null
constructor({ status,code,message }:{
status:number
code:string|null
message:string
})
}
export declare class WebhookVerificationError extends GreenlitError {
name:string
}
export {};

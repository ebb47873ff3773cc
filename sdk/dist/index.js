var y=class extends Error{name="GreenlitError"},f=class extends y{name="ConnectionError"},R=class extends f{name="Timeou\
tError"},g=class extends y{name="ApiError";status;code;requestId;details;retryAfterSeconds;constructor({status:t,code:s,
message:n,requestId:r,details:a,retryAfterSeconds:d}){super(n),this.status=t,this.code=s,this.requestId=r,this.details=a,
this.retryAfterSeconds=d}},q=class extends g{name="AuthenticationError"},W=class extends g{name="PlanError"},L=class extends g{name="\
ForbiddenError"},B=class extends g{name="NotFoundError"},G=class extends g{name="ConflictError"},j=class extends g{name="\
TooLargeError"},V=class extends g{name="UnsupportedTypeError"},E=class extends g{name="ValidationError"},K=class extends g{name="\
RateLimitError"},H=class extends g{name="ServerError"},v=class extends y{name="UploadError";status;code;constructor({status:t,
code:s,message:n}){super(n),this.status=t,this.code=s}},w=class extends y{name="WebhookVerificationError"},ve={400:E,401:q,
402:W,403:L,404:B,409:G,413:j,415:V,422:E,429:K};async function X(e){let{status:t,headers:s}=e,n=await e.text().catch(()=>""),
r=we(n),a=Number(s.get("retry-after")??Number.NaN),d=ve[t]??(t>=500?H:g);return new d({status:t,code:r.error_code??(t===
429?"rate_limited":null),message:r.message??r.error??`The service answered ${t}. ${n.slice(0,200)}`.trim(),requestId:s.get(
"x-request-id"),details:r.details??[],retryAfterSeconds:Number.isFinite(a)?a:null})}function we(e){try{return JSON.parse(
e)??{}}catch{return{}}}function k(e){let{query:t,read:s,itemsOf:n}=e;async function*r(){for(let d=await s(t);;d=await s({...t,cursor:d.nextCursor}))
if(yield d,!d.hasMore||d.nextCursor===null)return}async function*a(){for await(let d of r())yield*n(d)}return{page:()=>s(
t),pages:r,async all(){let d=[];for await(let l of a())d.push(l);return d},[Symbol.asyncIterator]:a}}function re(e){let t=(n,r)=>({params:{submission_id:n,asset_id:r}}),s=(n,r,a)=>({params:{submission_id:n,asset_id:r,comment_id:a}});
return{reviews:{list:(n={})=>k({query:n,read:r=>e("listReviews",{query:r}),itemsOf:({data:r})=>r}),get:(n,r)=>e("readRev\
iew",t(n,r)),update:(n,r,a)=>e("changeReview",{...t(n,r),body:a}),claim:(n,r)=>e("claimReview",t(n,r)),release:(n,r)=>e(
"releaseReview",t(n,r)),decide:(n,r,a)=>e("decideReview",{...t(n,r),body:a})},comments:{list:(n,r,a={})=>k({query:a,read:d=>e(
"listComments",{...t(n,r),query:d}),itemsOf:({data:d})=>d}),create:(n,r,a)=>e("createComment",{...t(n,r),body:a}),update:(n,r,a,d)=>e(
"changeComment",{...s(n,r,a),body:d}),delete:(n,r,a)=>e("deleteComment",s(n,r,a))},audit:{list:(n={})=>k({query:n,read:r=>e(
"listAudit",{query:r}),itemsOf:({data:r})=>r}),export:async(n={})=>(await e("exportAudit",{query:n})).text()}}}function ne(e){
return{session:{options:()=>e("readSignInOptions"),signIn:t=>e("signIn",{body:t}),signOut:()=>e("signOut"),chooseWorkspace:t=>e(
"chooseWorkspace",{body:t}),list:()=>e("listSessions"),end:t=>e("endSession",{params:{session_id:t}})},me:{get:()=>e("re\
adMe"),update:t=>e("changeMe",{body:t}),changePassword:t=>e("changePassword",{body:t})},people:{list:()=>e("listPeople"),
update:(t,s)=>e("changePerson",{params:{person_id:t},body:s}),remove:t=>e("removePerson",{params:{person_id:t}}),createResetLink:t=>e(
"createResetLink",{params:{person_id:t}}),invite:t=>e("createInvitation",{body:t}),invitations:()=>e("listInvitations"),
withdrawInvitation:t=>e("deleteInvitation",{params:{invitation_id:t}})},keys:{list:()=>e("listKeys"),create:t=>e("create\
Key",{body:t}),revoke:t=>e("revokeKey",{params:{key_id:t}})},workspace:{get:()=>e("readWorkspace"),update:t=>e("changeWo\
rkspace",{body:t})}}}var ke=500,xe=8e3,Ie=90;async function O(e,t){let{maxRetries:s,signal:n,isWorthRetrying:r}=t;for(let a=0;;a+=1)try{return await e(
a)}catch(d){n?.throwIfAborted();let l=d instanceof g?d.retryAfterSeconds??0:0;if(a>=s||!r(d)||l>Ie)throw d;await P(Math.
max(l*1e3,Y(a)),n)}}function Y(e){return Math.min(xe,ke*2**e)*(.5+Math.random()/2)}function P(e,t){return new Promise((s,n)=>{
let r=()=>{clearTimeout(a),n(t?.reason)},a=setTimeout(()=>{t?.removeEventListener("abort",r),s()},e);t?.aborted?r():t?.addEventListener(
"abort",r,{once:!0})})}function x(e){return e instanceof f?!0:e instanceof g||e instanceof v?[408,429,500,502,503,504].includes(
e.status):!1}async function M(e){let{fetch:t,url:s,init:n,timeoutMs:r,signal:a,read:d}=e;a?.throwIfAborted();let l=new AbortController,
i=()=>l.abort(a?.reason);a?.addEventListener("abort",i,{once:!0});let o=!1,u=setTimeout(()=>{o=!0,l.abort()},r);try{return await d(
await t(s,{...n,signal:l.signal}))}catch(m){if(a?.throwIfAborted(),m instanceof y)throw m;let{host:p}=new URL(s);throw o?
new R(`${p} did not answer in ${r/1e3} s.`):new f(`${p} cannot be reached: ${Se(m)}.`,{cause:m})}finally{clearTimeout(u),
a?.removeEventListener("abort",i)}}function Se(e){return e instanceof Error?e.cause instanceof Error?e.cause.message:e.message:
String(e)}async function*ie(e,{idleMs:t,signal:s}){let n=e.getReader(),r=()=>{n.cancel().catch(()=>{})};s?.addEventListener("abort",
r,{once:!0});try{let a=new TextDecoder,d="",l={id:null,data:[]};for(;;){let{done:i,value:o}=await Re(n.read(),t);if(s?.throwIfAborted(),
i)return;let u=(d+a.decode(o,{stream:!0})).split(/\r\n|\n|\r(?!$)/);d=u.pop()??"";for(let m of u){if(m===""){(l.data.length>
0||l.id!==null)&&(yield{id:l.id,data:l.data.join(`
`)}),l={id:null,data:[]};continue}let[,p,b=""]=/^([^:]*):? ?(.*)$/.exec(m)??[];p==="data"&&l.data.push(b),p==="id"&&(l.id=
b)}}}finally{s?.removeEventListener("abort",r),r()}}async function Re(e,t){let s,n=new Promise((r,a)=>{s=setTimeout(()=>a(
new f("The stream has gone silent.")),t)});try{return await Promise.race([e,n])}finally{clearTimeout(s)}}var Te=45e3;function Z(e){return e==="complete"||e==="failed"}async function*$(e,t,{signal:s,lastEventId:n=""}={}){let r=n;
for(let a=0;;){try{let d=await e.open("openChannel",{params:{channel:t},headers:{accept:"text/event-stream",...r!==""&&{
"last-event-id":r}},...s&&{signal:s}});if(!d.body||!d.headers.get("content-type")?.startsWith("text/event-stream"))throw new y(
"The service's answer is not a stream of events.");for await(let l of ie(d.body,{idleMs:Te,signal:s})){if(l.id!==null&&(r=
l.id),l.data==="")continue;a=0;let i=JSON.parse(l.data);if(yield i,Ae(i))return}}catch(d){if(s?.throwIfAborted(),d instanceof
y&&!(d instanceof f)&&!x(d)||d instanceof g||a>=e.maxRetries)throw d}if(a+=1,a>e.maxRetries)throw new f("The stream ends\
 again and again before its end.");await P(Y(a),s)}}function Ae({event:e,channel:t,data:s}){return e==="submission.statu\
s"&&t.startsWith("private-submission-")&&Z(s.status)}var ee={createUploadUrl:"POST /uploads/url",renewUploadUrl:"POST /uploads/url/renew",uploadDirectly:"POST /uploads/direc\
t",createSubmission:"POST /submissions",listSubmissions:"GET /submissions",readSubmission:"GET /submissions/{submission_\
id}",deleteSubmission:"DELETE /submissions/{submission_id}",retryAsset:"POST /submissions/{submission_id}/assets/{asset_\
id}/retry",readVersions:"GET /submissions/{submission_id}/versions",readAsset:"GET /submissions/{submission_id}/assets/{\
asset_id}",readIssues:"GET /submissions/{submission_id}/assets/{asset_id}/issues",reportIssue:"POST /submissions/{submis\
sion_id}/assets/{asset_id}/issues",readIssue:"GET /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}",changeIssueStatus:"\
PATCH /submissions/{submission_id}/assets/{asset_id}/issues/{issue_id}",readIssueFrame:"GET /submissions/{submission_id}\
/assets/{asset_id}/issues/{issue_id}/frame",readTopics:"GET /submissions/{submission_id}/assets/{asset_id}/topics",readDiff:"\
GET /submissions/{submission_id}/assets/{asset_id}/diff",readMeasurements:"GET /submissions/{submission_id}/assets/{asse\
t_id}/measurements",readTranscript:"GET /submissions/{submission_id}/assets/{asset_id}/transcript",searchAsset:"GET /sub\
missions/{submission_id}/assets/{asset_id}/search",readOriginal:"GET /submissions/{submission_id}/assets/{asset_id}/orig\
inal",readRenditions:"GET /submissions/{submission_id}/assets/{asset_id}/renditions",readMedia:"GET /submissions/{submis\
sion_id}/assets/{asset_id}/media",readPoster:"GET /submissions/{submission_id}/assets/{asset_id}/poster",readThumbnail:"\
GET /submissions/{submission_id}/assets/{asset_id}/thumbnail",readFilmstrip:"GET /submissions/{submission_id}/assets/{as\
set_id}/filmstrip",readWaveform:"GET /submissions/{submission_id}/assets/{asset_id}/waveform",readPage:"GET /submissions\
/{submission_id}/assets/{asset_id}/pages/{page_number}",readEvidence:"GET /submissions/{submission_id}/assets/{asset_id}\
/evidence",downloadEvidence:"GET /submissions/{submission_id}/assets/{asset_id}/evidence/content",createRejudge:"POST /r\
ejudge",readRejudge:"GET /rejudge/{rejudge_id}",listRejudgeChanges:"GET /rejudge/{rejudge_id}/changes",exportRejudge:"GE\
T /rejudge/{rejudge_id}/export",readUpcoming:"GET /upcoming",listMarkets:"GET /markets",readVerdicts:"GET /submissions/{\
submission_id}/assets/{asset_id}/verdicts",listSidekicks:"GET /sidekicks",listRules:"GET /sidekicks/{sidekick_id}/rules",
fireSandboxEvents:"POST /sandbox/events/fire",listReviews:"GET /reviews",readReview:"GET /submissions/{submission_id}/as\
sets/{asset_id}/review",changeReview:"PATCH /submissions/{submission_id}/assets/{asset_id}/review",claimReview:"POST /su\
bmissions/{submission_id}/assets/{asset_id}/review/claim",releaseReview:"DELETE /submissions/{submission_id}/assets/{ass\
et_id}/review/claim",decideReview:"POST /submissions/{submission_id}/assets/{asset_id}/review/decisions",listComments:"G\
ET /submissions/{submission_id}/assets/{asset_id}/comments",createComment:"POST /submissions/{submission_id}/assets/{ass\
et_id}/comments",changeComment:"PATCH /submissions/{submission_id}/assets/{asset_id}/comments/{comment_id}",deleteComment:"\
DELETE /submissions/{submission_id}/assets/{asset_id}/comments/{comment_id}",decideIssues:"POST /submissions/{submission\
_id}/assets/{asset_id}/issues/decide",issueCertificate:"POST /submissions/{submission_id}/assets/{asset_id}/certificate",
readCertificate:"GET /certificates/{certificate_id}",revokeCertificate:"POST /certificates/{certificate_id}/revoke",verifyCertificate:"\
POST /verify",listAudit:"GET /audit",exportAudit:"GET /audit/export",createWebhook:"POST /webhooks",listWebhooks:"GET /w\
ebhooks",readWebhook:"GET /webhooks/{subscription_id}",updateWebhook:"PATCH /webhooks/{subscription_id}",deleteWebhook:"\
DELETE /webhooks/{subscription_id}",testWebhook:"POST /webhooks/{subscription_id}/test",rotateWebhookSecret:"POST /webho\
oks/{subscription_id}/secret/rotate",listWebhookDeliveries:"GET /webhooks/{subscription_id}/deliveries",readWebhookDelivery:"\
GET /webhooks/{subscription_id}/deliveries/{delivery_id}",replayWebhookDelivery:"POST /webhooks/{subscription_id}/delive\
ries/{delivery_id}/replay",recoverWebhookDeliveries:"POST /webhooks/{subscription_id}/recover",openChannel:"GET /realtim\
e/{channel}",createRealtimeToken:"POST /realtime/token",readLimits:"GET /limits",readSignInOptions:"GET /session/options",
setUp:"POST /setup",signIn:"POST /session",chooseWorkspace:"PATCH /session",signOut:"DELETE /session",beginSingleSignOn:"\
GET /session/oidc",finishSingleSignOn:"GET /session/oidc/callback",readMe:"GET /me",changeMe:"PATCH /me",changePassword:"\
POST /me/password",listSessions:"GET /sessions",endSession:"DELETE /sessions/{session_id}",resetPassword:"POST /password\
-reset",listPeople:"GET /people",changePerson:"PATCH /people/{person_id}",removePerson:"DELETE /people/{person_id}",createResetLink:"\
POST /people/{person_id}/reset-link",listInvitations:"GET /invitations",createInvitation:"POST /invitations",acceptInvitation:"\
POST /invitations/accept",deleteInvitation:"DELETE /invitations/{invitation_id}",listKeys:"GET /keys",createKey:"POST /k\
eys",revokeKey:"DELETE /keys/{key_id}",readWorkspace:"GET /workspace",changeWorkspace:"PATCH /workspace",listRuleExamples:"\
GET /rule-examples",tryText:"POST /rules/try",readUsage:"GET /usage"},oe=new Set(["createSubmission","retryAsset","creat\
eWebhook"]),ae={mp4:"video/mp4",m4v:"video/mp4",mov:"video/quicktime",qt:"video/quicktime",webm:"video/webm",mkv:"video/\
x-matroska",mk3d:"video/x-matroska",avi:"video/x-msvideo",mpg:"video/mpeg",mpeg:"video/mpeg",mpe:"video/mpeg",m1v:"video\
/mpeg",m2v:"video/mpeg",m2p:"video/mpeg",vob:"video/mpeg",ts:"video/mp2t",m2ts:"video/mp2t",mts:"video/mp2t",m2t:"video/\
mp2t",mxf:"application/mxf",mp3:"audio/mpeg",mp2:"audio/mpeg",mpga:"audio/mpeg",m4a:"audio/mp4",m4b:"audio/mp4",aac:"aud\
io/aac",adts:"audio/aac",wav:"audio/wav",wave:"audio/wav",bwf:"audio/wav",ogg:"audio/ogg",oga:"audio/ogg",opus:"audio/og\
g",spx:"audio/ogg",flac:"audio/flac",weba:"audio/webm",jpg:"image/jpeg",jpeg:"image/jpeg",jpe:"image/jpeg",jfif:"image/j\
peg",png:"image/png",apng:"image/png",gif:"image/gif",webp:"image/webp",tif:"image/tiff",tiff:"image/tiff",avif:"image/a\
vif",avifs:"image/avif",heic:"image/heic",heif:"image/heic",hif:"image/heic",bmp:"image/bmp",dib:"image/bmp",pdf:"applic\
ation/pdf",docx:"application/vnd.openxmlformats-officedocument.wordprocessingml.document",pptx:"application/vnd.openxmlf\
ormats-officedocument.presentationml.presentation",xlsx:"application/vnd.openxmlformats-officedocument.spreadsheetml.she\
et",txt:"text/plain",text:"text/plain",md:"text/markdown",markdown:"text/markdown",csv:"text/csv",srt:"application/x-sub\
rip",vtt:"text/vtt"};var Ne=new Set(["createUploadUrl","uploadDirectly","renewUploadUrl","createRealtimeToken"]),Ce=6e5;function de(e){let{apiKey:t,
maxRetries:s=4,timeoutMs:n=6e4,headers:r={}}=e,a=Me(e.baseUrl??"http://127.0.0.1:8080"),d=e.fetch,l=(u,m)=>(d??globalThis.
fetch)(u,m);async function i(u,m,p,b){let[h="GET",C=""]=m.split(" "),T=a+Fe(C,p.params??{})+Ue(p.query??{}),S=p.body instanceof
FormData,D=oe.has(u),c={method:h,redirect:"manual",headers:{...r,...t!==void 0&&{"x-api-key":t},...p.body!==void 0&&!S&&
{"content-type":"application/json"},...D&&{"idempotency-key":p.idempotencyKey??De()},...p.headers},...p.body!==void 0&&{
body:S?p.body:JSON.stringify(p.body)}},_=h!=="POST"||D||Ne.has(u);return O(I=>M({fetch:l,url:T,init:c,timeoutMs:S?Ce:n,signal:p.
signal,read:A=>b(A,I)}),{maxRetries:s,signal:p.signal,isWorthRetrying:I=>Ee(I,_)})}async function o(u,m,p={}){return i(u,
m,p,async(b,h)=>{if(!(b.status===404&&h>0&&m.startsWith("DELETE"))){if(!b.ok)throw await X(b);if(b.status!==204)return Pe(
b)?await b.json():await Oe(b)}})}return{call:((u,m)=>o(u,ee[u],m)),request:(u,m)=>o(u,u,m),async renewUploadUrl(u,m){let p={
body:u,...m&&{signal:m}};return await o("renewUploadUrl","POST /uploads/url/renew",p)},open:(u,m)=>i(u,ee[u],m,async p=>{
if(p.status>=400)throw await X(p);return p}),fetch:l,maxRetries:s}}function Ee(e,t){return e instanceof g&&e.code==="ide\
mpotency_in_progress"?!0:t?x(e):e instanceof g&&e.status===429}async function Oe(e){let{status:t,headers:s}=e;return new Response(
await e.arrayBuffer(),{status:t,headers:s})}function Pe(e){return/^application\/json\b/.test(e.headers.get("content-type")??
"")}function Me(e){return`${e.replace(/\/+$/,"").replace(/\/api(\/v1)?\/integrations$/,"")}/api/integrations`}function Fe(e,t){
return e.replaceAll(/\{(\w+)\}/g,(s,n)=>{let r=t[n];if(typeof r!="string"||r==="")throw new TypeError(`${n} is missing.`);
return encodeURIComponent(r)})}function Ue(e){let t=new URLSearchParams;for(let[n,r]of Object.entries(e))r!=null&&t.set(
n,String(r));let s=t.toString();return s===""?"":`?${s}`}function De(){return Array.from(crypto.getRandomValues(new Uint8Array(
16)),e=>e.toString(16).padStart(2,"0")).join("")}function ue(e){return e instanceof Uint8Array?e.byteLength:e.size}async function F(e,t,s){return e instanceof Uint8Array?
e.subarray(t,s):"read"in e?await e.read(t,s):e.slice(t,s)}function z(e){return btoa(`greenlit-${String(e).padStart(6,"0")}`)}function le(e){return`<?xml version="1.0" encoding="u\
tf-8"?><BlockList>${Array.from({length:e},(s,n)=>`<Latest>${z(n)}</Latest>`).join("")}</BlockList>`}function se(e){let t=s=>{
let[,n=""]=new RegExp(`<${s}>([^]*?)</${s}>`).exec(e)??[],r=n.matchAll(/<Block>\s*<Name>([^<]*)<\/Name>\s*<Size>(\d+)<\/Size>/g);
return new Map(Array.from(r,([,a="",d=""])=>[a,Number(d)]))};return{committed:t("CommittedBlocks"),uncommitted:t("Uncomm\
ittedBlocks")}}var qe=6e4;async function me(e,t,s){let{fetch:n,maxRetries:r}=e;return O(()=>M({fetch:n,url:Q(t,"comp=blocklist&blocklis\
ttype=all"),init:{method:"GET"},timeoutMs:qe,signal:s,async read(a){if(a.ok)return se(await a.text());if(a.status===404)
return se("");if(a.status===403)return null;throw await pe(a)}}),{maxRetries:r,signal:s,isWorthRetrying:x})}async function J(e,t){
let{url:s,body:n,headers:r={},timeoutMs:a,signal:d}=t,{fetch:l,maxRetries:i}=e;await O(()=>M({fetch:l,url:s,init:{method:"\
PUT",headers:r,body:n},timeoutMs:a,signal:d,async read(o){if(!o.ok)throw await pe(o);await o.arrayBuffer()}}),{maxRetries:i,
signal:d,isWorthRetrying:x})}async function pe(e){let t=await e.text().catch(()=>""),s=a=>new RegExp(`<${a}>([^<]*)</${a}\
>`).exec(t)?.[1]??null,n=e.headers.get("x-ms-error-code")??s("Code"),r=s("Message")??"";return new v({status:e.status,code:n,
message:`The store answered ${e.status}${n===null?"":` ${n}`}. ${r}`.trim()})}function Q(e,t){return`${e}${e.includes("?")?
"&":"?"}${t}`}var We=12e4,U=class extends Error{};function ge(e,t){let{checkpoint:s,signal:n,onCheckpoint:r}=t,a;async function d(){try{
let{blobPath:o,uploadUrl:u}=s;Object.assign(s,await e.renewUploadUrl({blobPath:o,uploadUrl:u},n)),r?.(structuredClone(s))}catch(o){
throw o instanceof g&&[403,404,405].includes(o.status)?new U("The address of the upload has expired.",{cause:o}):o}}async function l(o){
return s.uploadUrl===o&&(a??=d().finally(()=>a=void 0),await a),s.uploadUrl}async function i(){return Date.parse(s.expiresAt)-
Date.now()<We?l(s.uploadUrl):s.uploadUrl}return{current:i,async use(o){let u=await i();try{await o(u)}catch(m){if(!(m instanceof
v)||m.status!==403)throw m;await o(await l(u))}}}}var Le=8*1024*1024,Be=4,ce=3e5,Ge=36e5,je=2;async function ye(e,t,s){let{contentType:n,sizeBytes:r,resume:a,signal:d}=s,
l=a&&Ve(a,s)?structuredClone(a):await be(e,s);for(let i=0;;i+=1)try{return Ke(l.uploadUrl)?await He(e,t,{...s,url:l.uploadUrl}):
await $e(e,t,{...s,checkpoint:l}),s.onProgress?.({sentBytes:r,totalBytes:r}),{blobPath:l.blobPath,sizeBytes:r,contentType:n}}catch(o){
if(d?.throwIfAborted(),!(o instanceof U||o instanceof v&&o.status===409)||i>=je)throw o;l=await be(e,s)}}async function be(e,t){
let{filename:s,contentType:n,sizeBytes:r,signal:a}=t,l={...await e.call("createUploadUrl",{body:{filename:s,contentType:n},
...a&&{signal:a}}),filename:s,contentType:n,sizeBytes:r,blockBytes:Le,blocks:[]};return t.onCheckpoint?.(l),l}function Ve(e,{
filename:t,contentType:s,sizeBytes:n}){return e.filename===t&&e.contentType===s&&e.sizeBytes===n}function Ke(e){return new URL(
e).searchParams.has("X-Amz-Signature")}async function He(e,t,{url:s,contentType:n,sizeBytes:r,signal:a}){let d=await F(t,
0,r);await J(e,{url:s,body:d,headers:{"content-type":n,"x-ms-blob-type":"BlockBlob"},timeoutMs:Ge,signal:a})}async function $e(e,t,s){
let{checkpoint:n,sizeBytes:r,contentType:a,signal:d,onProgress:l,onCheckpoint:i}=s,o=n.blockBytes,u=Math.ceil(r/o),m=c=>Math.
min(o,r-c*o),p=ge(e,{checkpoint:n,signal:d,onCheckpoint:i});if(n.blocks.length>0){let c=await me(e,await p.current(),d);
if(c!==null){let _=A=>N=>A.get(z(N))===m(N),I=Array.from({length:u},(A,N)=>N);if(I.every(_(c.committed)))return;n.blocks=
I.filter(_(c.uncommitted))}}let b=new Set(n.blocks),h=Array.from({length:u},(c,_)=>_).filter(c=>!b.has(c)),C=[...b].reduce(
(c,_)=>c+m(_),0);l?.({sentBytes:C,totalBytes:r});let T=new AbortController,S=()=>T.abort(d?.reason);d?.aborted&&S(),d?.addEventListener(
"abort",S,{once:!0});let D=async()=>{for(let c=h.shift();c!==void 0&&!T.signal.aborted;c=h.shift()){let _=c*o,I=await F(
t,_,_+m(c)),A=`comp=block&blockid=${encodeURIComponent(z(c))}`;await p.use(N=>J(e,{url:Q(N,A),body:I,timeoutMs:ce,signal:T.
signal})),n.blocks.push(c),C+=m(c),i?.(structuredClone(n)),l?.({sentBytes:C,totalBytes:r})}};try{await Promise.all(Array.
from({length:Be},()=>D().catch(c=>{throw T.abort(c),c})))}finally{d?.removeEventListener("abort",S)}await p.use(c=>J(e,{
url:Q(c,"comp=blocklist"),body:le(u),headers:{"x-ms-blob-content-type":a},timeoutMs:ce,signal:d}))}var ze=10*1024*1024;async function fe(e,t,s={}){let n=Je(t,s);if(s.onProgress?.({sentBytes:0,totalBytes:n.sizeBytes}),n.
sizeBytes>ze)return ye(e,t,{...s,...n});let r=await F(t,0,n.sizeBytes),a=new FormData;a.set("file",new Blob([r],{type:n.
contentType}),n.filename);let d=await e.call("uploadDirectly",{body:a,...s.signal&&{signal:s.signal}});return s.onProgress?.(
{sentBytes:n.sizeBytes,totalBytes:n.sizeBytes}),d}function Je(e,t){let s=t.filename??e.name;if(!s)throw new y("Give the \
upload a filename: these bytes have none.");let n=s.slice(s.lastIndexOf(".")+1).toLowerCase(),r=t.contentType||e.type||ae[n];
if(!r)throw new y(`Give the upload a contentType: the extension of ${s} says nothing.`);return{filename:s,contentType:r,
sizeBytes:ue(e)}}var Qe=1e3,Xe=1e4,Ye=20;async function he(e,t,s={}){let{timeoutMs:n}=s,r=new AbortController,a=()=>r.abort(s.signal?.reason);
s.signal?.aborted&&a(),s.signal?.addEventListener("abort",a,{once:!0});let d=n===void 0?void 0:setTimeout(()=>r.abort(new R(
`The submission is not done after ${n/1e3} s.`)),n);try{return await Ze(e,t,{...s,signal:r.signal})}finally{clearTimeout(
d),s.signal?.removeEventListener("abort",a)}}async function Ze(e,t,{signal:s,onMessage:n,stream:r=!0}){if(r)try{for await(let a of $(
e,`private-submission-${t}`,{signal:s}))n?.(a)}catch(a){if(s.throwIfAborted(),a instanceof g&&[401,402,404].includes(a.status))
throw a}for(let a=Qe,d=0;;a=Math.min(Xe,a*1.5)){try{let l=await e.call("readSubmission",{params:{submission_id:t},signal:s});
if(d=0,Z(l.status))return l;n?.({event:"submission.status",channel:`private-submission-${t}`,timestamp:new Date().toISOString(),
data:l})}catch(l){if(d+=1,!x(l)||d>Ye)throw l}await P(a,s)}}async function te(e){let{body:t,toleranceSeconds:s=300,now:n=new Date}=e,[r,a,d]=["webhook-id","webhook-timestamp","webh\
ook-signature"].map(m=>{let p=ts(e.headers,m);if(!p)throw new w(`The header ${m} is missing.`);return p});if(!/^\d{1,15}$/.
test(a))throw new w("webhook-timestamp is not a number.");let l=Math.floor(n.getTime()/1e3)-Number(a);if(Math.abs(l)>s)throw new w(
`The webhook was sent ${Math.abs(l)} s ${l>0?"ago":"ahead of this clock"}: a replay, or a wrong clock.`);let i=typeof t==
"string"?new TextEncoder().encode(t):t,o=ns(new TextEncoder().encode(`${r}.${a}.`),i),u=d.split(" ").flatMap(m=>{let[p,b=""]=m.
split(","),h=p==="v1"?_e(b):null;return h===null||btoa(String.fromCharCode(...h))!==b?[]:[h]});for(let m of[e.secret].flat()){
let p=await ss(m);for(let b of u)if(await crypto.subtle.verify("HMAC",p,b,o))return es(new TextDecoder().decode(i))}throw new w(
"No signature fits. Is it the secret of this subscription, and the raw body?")}function es(e){try{return JSON.parse(e)}catch(t){
throw new w("The body is signed, but it is not JSON.",{cause:t})}}async function ss(e){let t=_e(e.replace(/^whsec_/,""));
if(t===null||t.length===0)throw new w("The secret is not whsec_ and base64, as the subscription showed it.");return crypto.
subtle.importKey("raw",t,{name:"HMAC",hash:"SHA-256"},!1,["verify"])}function ts(e,t){if(rs(e))return e.get(t)??void 0;let[
,s]=Object.entries(e).find(([n])=>n.toLowerCase()===t)??[];return Array.isArray(s)?s.join(" "):s}function rs(e){return typeof e.
get=="function"}function _e(e){try{return Uint8Array.from(atob(e),t=>t.charCodeAt(0))}catch{return null}}function ns(e,t){
let s=new Uint8Array(e.length+t.length);return s.set(e),s.set(t,e.length),s}function is(e={}){let t=de(e),{call:s}=t,n=i=>({params:{submission_id:i}}),r=(i,o)=>({params:{submission_id:i,asset_id:o}}),
a=(i,o,u)=>({params:{submission_id:i,asset_id:o,issue_id:u}}),d=i=>({params:{subscription_id:i}}),l=(i,o)=>({params:{subscription_id:i,
delivery_id:o}});return{call:s,upload:(i,o)=>fe(t,i,o),uploads:{createUrl:i=>s("createUploadUrl",{body:i}),renewUrl:(i,{
signal:o}={})=>t.renewUploadUrl(i,o)},submissions:{create:(i,{simulationDelaySeconds:o,...u}={})=>s("createSubmission",{
body:i,...o!==void 0&&{query:{simulationDelaySeconds:o}},...u}),get:i=>s("readSubmission",n(i)),list:(i={})=>k({query:i,
read:o=>s("listSubmissions",{query:o}),itemsOf:({data:o})=>o}),delete:i=>s("deleteSubmission",n(i)),versions:i=>s("readV\
ersions",n(i)),waitUntilDone:(i,o)=>he(t,i,o)},assets:{get:(i,o)=>s("readAsset",r(i,o)),issues:(i,o,u={})=>k({query:u,read:m=>s(
"readIssues",{...r(i,o),query:m}),itemsOf:({issues:m})=>m}),topics:(i,o)=>s("readTopics",r(i,o)),diff:(i,o)=>s("readDiff",
r(i,o)),measurements:(i,o)=>s("readMeasurements",r(i,o)),transcript:(i,o)=>s("readTranscript",r(i,o)),search:(i,o,u={})=>k(
{query:u,read:m=>s("searchAsset",{...r(i,o),query:m}),itemsOf:({data:m})=>m}),retry:(i,o,{reason:u,...m}={})=>s("retryAs\
set",{...r(i,o),...u!==void 0&&{body:{reason:u}},...m}),originalUrl:async(i,o)=>{let m=(await t.open("readOriginal",r(i,
o))).headers.get("location");if(m===null)throw new y("The address of the original cannot be read here; ask for it on you\
r server.");return m}},issues:{get:(i,o,u)=>s("readIssue",a(i,o,u)),update:(i,o,u,m)=>s("changeIssueStatus",{...a(i,o,u),
body:m}),report:(i,o,u)=>s("reportIssue",{...r(i,o),body:u}),decide:(i,o,u)=>s("decideIssues",{...r(i,o),body:u}),frame:async(i,o,u)=>(await s(
"readIssueFrame",a(i,o,u))).blob()},...re(s),...ne(s),sidekicks:{list:()=>s("listSidekicks"),rules:i=>s("listRules",{params:{
sidekick_id:i}})},sandbox:{fireEvents:i=>s("fireSandboxEvents",{body:i})},webhooks:{create:(i,o={})=>s("createWebhook",{
body:i,...o}),list:(i={})=>k({query:i,read:o=>s("listWebhooks",{query:o}),itemsOf:({data:o})=>o}),get:i=>s("readWebhook",
d(i)),update:(i,o)=>s("updateWebhook",{...d(i),body:o}),delete:i=>s("deleteWebhook",d(i)),test:(i,o)=>s("testWebhook",{...d(
i),body:o}),rotateSecret:(i,o={})=>s("rotateWebhookSecret",{...d(i),body:o}),recover:(i,o)=>s("recoverWebhookDeliveries",
{...d(i),body:o}),deliveries:(i,o={})=>k({query:o,read:u=>s("listWebhookDeliveries",{...d(i),query:u}),itemsOf:({data:u})=>u}),
delivery:(i,o)=>s("readWebhookDelivery",l(i,o)),replay:(i,o)=>s("replayWebhookDelivery",l(i,o)),unwrap:i=>te(i)},realtime:{
follow:(i,o)=>$(t,i,o),createToken:i=>s("createRealtimeToken",{body:{channel:i}})},limits:()=>s("readLimits")}}export{g as ApiError,q as AuthenticationError,G as ConflictError,f as ConnectionError,L as ForbiddenError,y as GreenlitError,
B as NotFoundError,W as PlanError,K as RateLimitError,H as ServerError,R as TimeoutError,j as TooLargeError,V as UnsupportedTypeError,
v as UploadError,E as ValidationError,w as WebhookVerificationError,is as createGreenlit,te as unwrapWebhook};

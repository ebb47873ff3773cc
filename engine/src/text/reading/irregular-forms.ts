/** Irregular verbs: the base, then its other forms. A form that is an everyday word of its own ("left") is left out. */
const verbs = `
be is am are was were been being
have has had having
do does did done doing
go goes went gone
get got gotten getting
make made making
take took taken taking
come came coming
give gave given giving
lose lost losing
win won winning
buy bought
bring brought
think thought
teach taught
catch caught
seek sought
fight fought
sell sold
tell told
say said
pay paid
repay repaid
lay laid
find found
hold held
keep kept
sleep slept
feel felt
meet met
lead led
feed fed
speed sped
bleed bled
read
spend spent
send sent
lend lent
build built
mean meant
dream dreamt
burn burnt
learn learnt
deal dealt
stand stood
understand understood
know knew known
grow grew grown
throw threw thrown
show shown
draw drew drawn
fly flew flown flies
drink drank drunk
drive drove driven driving
ride rode ridden riding
write wrote written writing
rise risen rising
eat ate eaten
beat beaten
fall fell fallen
forget forgot forgotten forgetting
forgive forgave forgiven forgiving
choose chose chosen choosing
freeze froze frozen freezing
speak spoke spoken
break broke broken
steal stole stolen
wear wore worn
tear torn
swear swore sworn
begin began begun beginning
run ran running
swim swam swum swimming
sing sang sung
ring rang rung
shrink shrank shrunk shrunken
sink sank sunk
see saw seen seeing
become became becoming
shake shook shaken shaking
wake woke woken waking
hide hid hidden hiding
bite bit bitten biting
put putting
cut cutting
let letting
set setting
hit hitting
quit quitting
shed shedding
bet betting
stop stopped stopping
say says said saying
die dies died dying
lie lies lied lying
tie ties tied tying
try tries tried trying
will 'll wo
can ca
not n't nt
stick stuck
strike struck
dig dug digging
hang hung
swing swung
spin spun spinning
light lit
shoot shot
bend bent
breathe breathing breathed
scare scared scaring
stare staring stared
creep crept
leave leaving leaves
`;

const nouns = `
man men
woman women
child children
person people
foot feet
tooth teeth
mouse mice
life lives
wife wives
knife knives
loaf loaves
half halves
shelf shelves
thief thieves
calf calves
penny pence pennies
die dice
goose geese
ox oxen
crisis crises
analysis analyses
diagnosis diagnoses
basis bases
criterion criteria
phenomenon phenomena
bacterium bacteria
medium
index indices
`;

/** Words that end like a form of another word and are not one. */
const ownWords = `
this his its hers ours yours theirs us yes gas bus plus thus bonus virus status focus campus census circus lotus
less unless always perhaps besides sometimes afterwards towards upwards news series species means lens chaos cosmos
bias atlas canvas alias christmas texas paris arthritis diabetes rabies scabies measles mumps shingles rickets herpes
menopause tetanus sepsis psoriasis thrombosis osteoporosis cirrhosis sclerosis fibrosis cystitis hepatitis bronchitis
tinnitus lupus eczema dermatitis gastritis colitis sinusitis meningitis neurosis psychosis apnoea pancreas pus anus
uterus penis tennis cannabis oasis emphasis hypothesis thesis axis glasses scissors jeans trousers pants shorts
physics mathematics economics politics ethics athletics gymnastics genetics analytics robotics logistics
interesting interested interests evening morning ceiling wedding during nothing something anything everything thing
king ring spring string wing sing bring sting swing cling fling sling darling sibling sterling duckling dumpling
bed red shed need seed feed weed speed indeed exceed proceed succeed bleed breed greed hundred sacred naked
wicked rugged ragged crooked aged beloved led wed fed sled kindred biased
is as was has does goes across process access success address dress press stress express impress progress congress
business wellness fitness illness sickness happiness witness harness mattress princess actress hostess boss loss
cross gross moss toss floss gloss glass grass class mass pass brass bass kiss miss bliss hiss abyss chess mess bless
guess possess excess recess assess confess profess discuss fuss bus plus minus radius genius
wellbeing clothing plumbing outing
ad ads hiv aids cos ibs ms ufos
physio dos sos vs
best rest better worse worst more most least
`;

function table(lines: string): Map<string, string> {
  const forms = new Map<string, string>();
  for (const line of lines.trim().split("\n")) {
    const [base = "", ...others] = line.trim().split(/\s+/u);
    for (const form of others) if (!forms.has(form)) forms.set(form, base);
  }
  return forms;
}

export const irregularVerbs: ReadonlyMap<string, string> = table(verbs);
export const irregularNouns: ReadonlyMap<string, string> = table(nouns);
export const wordsOfTheirOwn: ReadonlySet<string> = new Set(ownWords.trim().split(/\s+/u));

const numberWords = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** So that "number one" and "number 1", "5 a day" and "five a day" are the same words. */
export const smallNumbers: ReadonlyMap<string, string> = new Map(
  numberWords.map((word, number) => [word, String(number)]),
);

/** How far a cue reaches: tokens after it within its clause, the rest of the sentence, all of it, or what came before. */
export type CueReach = number | "sentence-rest" | "sentence" | "before";

export type StanceCue = {
  stance: "negated" | "reported" | "past" | "conditional" | null;
  reach: CueReach;
  phrases: string;
};

/** Phrases by line or comma. `stance: null`: looks like a cue but is not one ("not only", "no wonder"). */
export const stanceCues: readonly StanceCue[] = [
  {
    stance: null,
    reach: 0,
    phrases: `no more, never hungry, never go hungry, can't be wrong, like there is no, like there's no, not only, not just, not merely, not simply, not to mention, not least, not the only, not your average, no wonder, no doubt, no matter,
      no problem, no brainer, no other, no one else, no better, no ordinary, no time like, no need to worry, no secret, why not, why don't you, why do not you,
      nothing else, nothing beats, nothing compares, nothing like, never before, never been, never fail, never worry, never miss, never look back,
      can't wait, cannot wait, can not wait, don't miss, do not miss, don't wait, don't worry, don't just, don't let, don't delay, don't forget, don't settle,
      without doubt, without a doubt, without fail, without question, not to be missed, not bad, if not more, and not just, if only, even if, what if,
      no end of, no less than, no fewer than, not even close, couldn't be easier, can't beat, can't go wrong, couldn't be simpler, what's not to love,
      why wait, whether or not, like no other, no ifs, if you want, if you like`,
  },
  {
    stance: "negated",
    reach: 9,
    phrases:
      "not, never, cannot, neither, nor, hardly, refuse to, decline to, stop short of, fail to, unable to, no longer",
  },
  {
    stance: "negated",
    reach: 4,
    phrases:
      "no, none, nobody, nothing, without, free of, free from, instead of, rather than, far from, lack of, nowhere",
  },
  {
    stance: "negated",
    reach: "sentence-rest",
    phrases: `no evidence, no proof, no guarantee, no promise, no suggestion, not claim, never claim, not promise, never promise, not say, never say, not suggest,
      not guarantee, never guarantee, not believe, not mean, not imply, not pretend, not evidence, no reason to believe, no scientific, nobody can promise, no one can promise,
      no one can guarantee, nobody can guarantee, no honest, beware of, be wary of, be suspicious of, be sceptical of, watch out for, steer clear of, avoid anyone, avoid any, avoid anything that,
      run away from, ignore any, not trust, never trust, don't fall for, not fall for, too good to be true, stop saying, stop claiming, must not, may not claim, may not say, should not, shall not, we will never`,
  },
  {
    stance: "negated",
    reach: "before",
    phrases: `is a myth, is myth, is just a myth, is false, is untrue, is not true, isn't true, is nonsense, is rubbish, is not possible, is impossible, has been debunked, is not proven,
      is unproven, is not supported, is a lie, is a scam, is not a claim we make, is wrong, is misleading, is not allowed, is banned, is illegal, is against the law, is prohibited, not evidence of, do not exist, does not exist, doesn't exist`,
  },
  {
    stance: "reported",
    reach: "sentence",
    phrases: `ruled that, ruled against, was banned, were banned, has banned, have banned, banned an ad, banned the ad, banned two ads, upheld, complaint was upheld, complaints about, was fined, were fined,
      fined for, sued, accused of, alleged, allegedly, alleges, watchdog, the regulator said, the regulator told, regulator found, told the advertiser, told the airline, told the company, told to stop, was found to have,
      pleaded guilty, convicted of, misleadingly, investigated, the asa, the ftc, advertising standards, trading standards, the court, prosecutors, lawsuit, class action, myth, urban legend, hoax, fact check, debunked`,
  },
  {
    stance: "reported",
    reach: "sentence-rest",
    phrases: `some people believe, some people say, some people claim, some say, some claim, some believe, many people believe, many believe, people often think, people think, critics say, critics claim, experts warn, doctors warn,
      sellers claim, scammers, fraudsters, con artists, adverts that, advertisements that, ads that claim, ads that promise, ads claiming, ads promising, adverts claiming, anyone who promises, anyone who claims, anyone promising,
      anyone claiming, companies that promise, companies that claim, firms that promise, websites that promise, claims that, claimed that, the claim that, claims such as, claims like, phrases such as, phrases like, words like, words such as,
      is said to, are said to, was said to, reportedly, is alleged to, are alleged to, he claimed, she claimed, they claimed, the seller claimed, the advert claimed, the ad claimed, the ad said, the advert said, the ad stated, the advert stated,
      posts claiming, messages claiming, emails claiming, headlines claiming, the belief that, the idea that, tells the story of, a novel about, a film about, a play about, a documentary about, a book about, a song about`,
  },
  {
    stance: "past",
    reach: "sentence",
    phrases: `historically, in ancient, the ancient, victorians, in victorian, in medieval, in the middle ages, centuries ago, in the 18th century, in the 19th century, in the nineteenth century, in the eighteenth century, was once thought, were once thought,
      once believed, it was believed, was believed to, were believed to, in those days, back then, decades ago, in the 1800s, in the 1900s, in the 1920s, in the 1930s, in the 1940s, in the 1950s`,
  },
  { stance: "past", reach: 6, phrases: "used to" },
  {
    stance: "conditional",
    reach: 40,
    phrases: "if, unless, whether, suppose, provided that, in case, should you, as long as",
  },
];

/** Questions that sell: "Did you know that …?" claims what follows. */
export const leadingQuestions = `did you know, want to, wanna, ready to, fancy, looking to, why not, how about, would you like, would you like to, need, who wants, who would not want, who wouldn't, why wait, why pay, tired of, fed up, sick of, struggling,
  what if you could, what if i told you, what if we told you, ever wished, wish you, need a, need to, don't you, isn't it time, want a, want more, dreaming of, thirsty, hungry, bored, feeling, suffering, got, still paying, still using, heard, guess what, could you use, can you believe, imagine`;

/** Kinds of things that have names, before the name … */
export const namedThings =
  "book film movie song band play novel album podcast exhibition musical charity restaurant pub brand show magazine newspaper series game app called named titled entitled";
/** … and at the end of one. */
export const nameEndings =
  "association foundation trust society charity institute university museum festival street road lane avenue college hospital council ltd limited inc plc llc research fund partners club week month awards award act regulations bill committee commission authority agency department ministry group consulting consultancy services solutions grill uk day";

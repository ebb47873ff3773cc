/** What advertisements say. The limits of doubt were chosen on these. No figures: whether "20" was heard right cannot be told from "twenty". */
export const tuneSentences = [
  "Zero percent financing is available on selected models until the end of May.",
  "Please drink responsibly and do not share with anyone under eighteen.",
  "Your home may be repossessed if you do not keep up repayments on your mortgage.",
  "Side effects may include headache, dizziness and loss of appetite.",
  "Terms and conditions apply, see our website for full details of this offer.",
  "Our new shampoo leaves your hair soft, shiny and smelling of fresh lemons.",
  "Switch your energy supplier today and enjoy cheaper bills all winter long.",
  "The value of your investments can go down as well as up.",
  "Come and visit our showroom this weekend for free coffee and expert advice.",
  "Always read the label and ask your pharmacist if symptoms persist.",
  "Nothing tastes better than a slice of warm bread from our own bakery.",
  "Batteries are not included and adult supervision is required at all times.",
  "Representative example, subject to status, late fees and charges may apply.",
  "This product is not intended to diagnose, treat, cure or prevent any disease.",
  "When the fun stops, stop, and never bet more than you can afford to lose.",
  "Book your summer holiday before Sunday and the children travel free.",
  "Keep out of the reach of children and store below room temperature.",
  "Every car in our range now comes with a five year warranty as standard.",
  "Doctors agree that a balanced diet matters more than any single vitamin.",
  "Call now and one of our friendly advisers will be happy to help you.",
  "Part of the proceeds from each bottle goes towards planting trees in Kenya.",
  "Broadband speeds vary significantly by location and time of day.",
  "My skin felt smoother after just one night, and I have never looked back.",
  "Contains nuts and milk, please check the packaging for other allergens.",
] as const;

export const testSentences = [
  "Gamble responsibly, and set a limit before you start to play.",
  "Our mattresses are made by hand in Yorkshire from natural wool.",
  "Do not drive or operate machinery after taking this medicine.",
  "Members save a third on cinema tickets every Tuesday evening.",
  "Past performance is not a guide to future returns.",
  "The kitchen that you have always wanted is closer than you think.",
  "Offer available in participating restaurants while stocks last.",
  "Smoking seriously harms you and others around you.",
  "Feed your dog the way that nature intended, without any added sugar.",
  "Late payment can cause you serious money problems.",
  "Sign up before midnight and the first month is on us.",
  "Ask your dentist which toothpaste is right for sensitive teeth.",
] as const;

/** For the test too, in other voices and with other noises. */
export const otherTestSentences = [
  "Never use this product near an open flame or a hot stove.",
  "Our chef cooks every pie with butter from a farm down the road.",
  "Withdrawals may take several days, and fees are charged for each transfer.",
  "Wear a helmet whenever you ride, and have the brakes checked each spring.",
  "Guests under sixteen must be with a parent or guardian after nine.",
  "You could win a trip for two to the mountains, no purchase necessary.",
  "This paint dries in an hour and covers most walls with a single coat.",
  "Speak to a doctor before you start if you are pregnant or have heart trouble.",
  "The picture shows a more expensive model than the one on offer.",
  "Our tea is grown by families who are paid a fair price for their leaves.",
  "Interest is charged from the day on which the money is drawn.",
  "Bring your old phone to any branch and we will recycle it for nothing.",
  "Trading with borrowed money can lose you more than you put in.",
  "Rinse with plenty of water if it gets into your eyes.",
] as const;

export const foreignSentences: Record<string, readonly string[]> = {
  fr: [
    "Profitez de notre offre exceptionnelle jusqu'au trente et un mai dans tous nos magasins.",
    "L'abus d'alcool est dangereux pour la santé, à consommer avec modération.",
    "Pour votre santé, mangez au moins cinq fruits et légumes par jour.",
    "Un crédit vous engage et doit être remboursé, vérifiez vos capacités.",
  ],
  de: [
    "Zu Risiken und Nebenwirkungen lesen Sie die Packungsbeilage und fragen Sie Ihren Arzt.",
    "Jetzt neu in Ihrem Supermarkt und nur für kurze Zeit zum halben Preis.",
    "Glücksspiel kann süchtig machen, Hilfe finden Sie im Internet.",
  ],
  es: [
    "El consumo excesivo de alcohol es perjudicial para la salud, beba con moderación.",
    "Compre ahora y pague en cómodas cuotas sin intereses durante todo el año.",
    "Lea las instrucciones de este medicamento y consulte al farmacéutico.",
  ],
  it: [
    "Messaggio pubblicitario con finalità promozionale, prima dell'adesione leggere il prospetto.",
    "È un medicinale, leggere attentamente il foglio illustrativo.",
  ],
  pl: [
    "Przed użyciem zapoznaj się z treścią ulotki dołączonej do opakowania leku.",
    "Kup teraz i zapłać dopiero za trzy miesiące.",
  ],
  nl: [
    "Let op, geld lenen kost geld, lees eerst de voorwaarden op onze website.",
    "Speel bewust, wat kost gokken jou, stop op tijd.",
  ],
  pt: [
    "Se persistirem os sintomas, o médico deverá ser consultado.",
    "Aproveite a nossa promoção e leve três pelo preço de dois.",
  ],
  hi: ["आज ही अपने नज़दीकी दुकान से खरीदें और पैसे बचाएं।", "धूम्रपान स्वास्थ्य के लिए हानिकारक है।"],
  cmn: ["现在购买即可享受全场五折优惠。", "请仔细阅读说明书并在药师指导下使用。"],
  ru: ["Имеются противопоказания, проконсультируйтесь со специалистом.", "Купите сегодня и получите подарок."],
};

/** Languages and sentences that nobody tuned with. */
export const testForeignSentences: Record<string, readonly string[]> = {
  fr: ["Les jeux d'argent comportent des risques, appelez ce numéro gratuit."],
  de: ["Kaufen Sie zwei Flaschen und die dritte bekommen Sie von uns geschenkt."],
  es: ["Los menores de edad no pueden participar en este sorteo."],
  sv: ["Läs bipacksedeln noga innan du använder läkemedlet."],
  tr: ["Bu kampanya stoklarla sınırlıdır ve sadece bugün geçerlidir."],
  el: ["Συμβουλευτείτε τον γιατρό σας πριν από τη χρήση."],
  cs: ["Před použitím si pečlivě přečtěte příbalový leták."],
  fi: ["Lue pakkausseloste huolellisesti ennen lääkkeen käyttöä."],
  ro: ["Acesta este un medicament, citiți cu atenție prospectul."],
  id: ["Baca aturan pakai dan segera hubungi dokter jika sakit berlanjut."],
  cmn: ["投资有风险，入市需谨慎。"],
  ru: ["Чрезмерное употребление алкоголя вредит вашему здоровью."],
};

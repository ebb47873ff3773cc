// Healthy when the API answers, or the metrics of a worker, which has no API.
const of = (name, fallback) => process.env[name] || fallback;
const urls = [
  `http://127.0.0.1:${of("GREENLIT_PORT", "8080")}/healthz`,
  `http://127.0.0.1:${of("GREENLIT_METRICS_PORT", "9464")}/metrics`,
];
Promise.any(
  urls.map((url) => fetch(url).then((answer) => answer.ok || Promise.reject(new Error(String(answer.status))))),
).then(
  () => process.exit(0),
  () => process.exit(1),
);

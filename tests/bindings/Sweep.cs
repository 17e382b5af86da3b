// SPDX-License-Identifier: MIT
// Calls every function of PrfData.cs with values that its types allow: Sweep.exe MAP. No call may throw.
using System;
using PrfData;

internal static class Sweep
{
    private static void Expect(bool isSo, string what)
    {
        if (!isSo)
            throw new Exception(what);
    }

    private static void CountPrivately(string path)
    {
        using (Publisher publisher = Publisher.Open(path))
        {
            Instance mail = publisher.Add("QUEUES", "mail");
            Counter jobs = mail.Counter("QUEUES_JOBS"), uptime = publisher.Single.Counter("UPTIME_OPEN");
            Average time = mail.Average("QUEUES_JOB_TIME");
            Distribution bytes = mail.Distribution(10);

            Expect(publisher.Error + uptime.Error == 0 && uptime.Value == 0, publisher.Status);
            jobs.Add(5);
            time.Add(3);
            bytes.Record(1000);
            bytes.Record(500);
            Expect(jobs.Value == 5 && time.Value == 3 && time.Base == 1, "private values");
            Expect(bytes.Count == 2 && bytes.Sum == 1500 && bytes.Mean == 750, "private sizes");
            Expect(bytes.Maximum > 900 && bytes.Maximum <= 1100 && bytes.Percentile(uint.MaxValue) == bytes.Maximum, "the maximum");
            uptime.Start();
            Expect(uptime.Value > 0, "Start");
            uptime.Stop();
            Expect(uptime.Value == 0, "Stop");
        }
    }

    private static void Main(string[] arguments)
    {
        Publisher publisher = Publisher.Open(arguments[0]);
        Instance mail = publisher.Add("QUEUES", "mail");
        Counter jobs = mail.Counter("QUEUES_JOBS"), depth = mail.Counter("QUEUES_DEPTH");
        Average time = mail.Average("QUEUES_JOB_TIME");
        Distribution bytes = mail.Distribution(10);

        Expect(mail.Error + jobs.Error + depth.Error + time.Error + bytes.Error == 0, publisher.Status);
        foreach (long value in new[] { 0, 5, -3, long.MaxValue, long.MinValue })
        {
            long before = jobs.Value;

            depth.Set(value);
            Expect(depth.Value == value, "set");
            depth.Raise(value);
            jobs.Add(value);
            Expect(jobs.Value == unchecked(before + value), "add");
            time.Add(value);
            bytes.Record(value);
        }
        foreach (string name in new[] { null, "", "a\0b", "\ud800", new string('x', 100000) })
        {
            Expect(publisher.Add(name, "mail").Error != 0 && publisher.Find(name, "mail").Error != 0, "an object");
            Expect(name == "\ud800" || publisher.Add("QUEUES", name).Error != 0, "a name");
            Expect(mail.Counter(name).Error != 0 && mail.Average(name).Error != 0, "a symbol");
            mail.Counter(name).Increment(); // counts where no reader sees it
            using (Publisher none = Publisher.Open(name))
            {
                Expect(none.Error != 0 && none.Status.Length != 0, "a path");
                Expect((name != null && name != "a\0b") || none.Status.Contains("NUL"), "the status of a path");
            }
        }
        Expect(mail.Distribution(uint.MaxValue).Error != 0, "a distribution");
        time.Time(null);
        bytes.Time(null);
        mail.Together(null);
        publisher.Single.Remove();
        publisher.Dispose();
        publisher.Dispose();
        jobs.Increment();
        bytes.Record(1);
        time.Time(delegate { });
        mail.Together(delegate { });
        mail.Remove();
        Expect(publisher.Add("QUEUES", "late").Error != 0 && publisher.Retry() != 0, "after Dispose");
        Expect(publisher.Status == "The publisher is closed.", "a status");
        Publisher.SetPrivate(true); // count as a unit test does: each publisher begins at 0
        CountPrivately(arguments[0]);
        CountPrivately(arguments[0]);
        Publisher.SetPrivate(false);
        Console.WriteLine("swept");
    }
}
